package io.heddle.core.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.PlainPasswordHash;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sign-ins with a password hash that other software has made. */
final class RenewedPasswordHashTest {
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final Authenticator authenticator =
            new StoredCredentialsAuthenticator(store, new AlsoForeign(), new SecureRandom());

    /** Knows one hash of other software besides the plain ones. */
    private static final class AlsoForeign implements PasswordHash {
        private final PlainPasswordHash plain = new PlainPasswordHash();

        @Override
        public String hash(BinaryData password) {
            return plain.hash(password);
        }

        @Override
        public boolean matches(BinaryData password, String hash, SignInSource source) {
            return hash.equals("foreign") ? password.equals(password("secret")) : plain.matches(password, hash, source);
        }

        @Override
        public @Nullable String renew(BinaryData password, String hash) {
            return hash.equals("foreign") ? hash(password) : null;
        }
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }

    private @Nullable AuthenticationOutcome signIn(String password) {
        return authenticator.authenticate(new ConnectCredentials(
                new ClientId("c"), "user", password(password), new InetSocketAddress("192.0.2.1", 1)));
    }

    @Test
    void aHashOfOtherSoftwareIsReplacedAtTheFirstSignIn() {
        StoredCredentials imported =
                new StoredCredentials(UUID.randomUUID(), null, "user", ClientType.DEVICE, "foreign");
        store.put(imported);

        assertThat(signIn("wrong"))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD));
        assertThat(store.get(imported.id())).isEqualTo(imported);
        assertAccepted(imported);
        assertThat(Objects.requireNonNull(store.get(imported.id())).passwordHash())
                .isNotEqualTo("foreign");
        assertAccepted(imported);
    }

    private void assertAccepted(StoredCredentials imported) {
        assertThat(signIn("secret"))
                .isInstanceOfSatisfying(
                        Accepted.class,
                        accepted -> assertThat(accepted.identity().proof()).isEqualTo(imported.version()));
    }
}

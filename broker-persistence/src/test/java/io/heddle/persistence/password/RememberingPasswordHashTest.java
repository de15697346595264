package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.StoredCredentialsAuthenticator;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.CountingPasswordHash;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.PasswordHashContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RememberingPasswordHashTest extends PasswordHashContract {
    private static final Duration HOUR = Duration.ofHours(1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CountingPasswordHash slow = new CountingPasswordHash();
    // Wraps like System.nanoTime.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final RememberingPasswordHash hash = remembering(slow, 1_000);

    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final StoredCredentialsAuthenticator authenticator =
            new StoredCredentialsAuthenticator(store, hash, new SecureRandom());

    @Override
    protected PasswordHash passwordHash() {
        return hash;
    }

    private RememberingPasswordHash remembering(PasswordHash of, int maximum) {
        return new RememberingPasswordHash(of, maximum, HOUR, new SecureRandom(), nanos::get, registry);
    }

    @Test
    void theRightPasswordIsComputedOnce() {
        String stored = hash.hash(password("secret"));

        for (int i = 0; i < 3; i++) {
            assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        }

        assertThat(slow.verifications()).isOne();
        assertThat(counted("computed")).isOne();
        assertThat(counted("remembered")).isEqualTo(2);
    }

    @Test
    void aWrongPasswordIsComputedEachTimeThoughTheRightOneIsCached() {
        String stored = hash.hash(password("secret"));
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();

        for (int i = 0; i < 3; i++) {
            assertThat(hash.matches(password("wrong"), stored, SOURCE)).isFalse();
        }

        assertThat(slow.verifications()).isEqualTo(4);
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isEqualTo(4);
    }

    @Test
    void theBoundaryBetweenHashAndPasswordMatters() {
        PasswordHash any = new PasswordHash() {
            @Override
            public String hash(BinaryData password) {
                return "";
            }

            @Override
            public boolean matches(BinaryData password, String text, SignInSource source) {
                return text.equals("ab");
            }
        };
        RememberingPasswordHash remembering = remembering(any, 10);

        assertThat(remembering.matches(password("c"), "ab", SOURCE)).isTrue();
        assertThat(remembering.matches(password("bc"), "a", SOURCE)).isFalse();
    }

    @Test
    void equalPasswordsOfTwoUsersAreComputedSeparately() {
        put("one", "secret");
        put("two", "secret");

        assertThat(connect("one", "secret")).isInstanceOf(Accepted.class);
        assertThat(connect("two", "secret")).isInstanceOf(Accepted.class);

        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void clientsThatShareAUserNameShareTheMatch() {
        put("fleet", "secret");

        for (int client = 0; client < 5; client++) {
            assertThat(authenticator.authenticate(shown("meter-" + client, "fleet", "secret")))
                    .isInstanceOf(Accepted.class);
        }

        assertThat(slow.verifications()).isOne();
    }

    @Test
    void aChangedPasswordTakesEffectAtOnce() {
        put("user", "old");
        assertThat(connect("user", "old")).isInstanceOf(Accepted.class);

        put("user", "new");

        assertThat(connect("user", "old")).isInstanceOf(Refused.class);
        assertThat(connect("user", "new")).isInstanceOf(Accepted.class);
        assertThat(slow.verifications()).isEqualTo(3);
    }

    @Test
    void aPasswordThatIsStoredAgainIsComputedAgain() {
        put("user", "secret");
        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);
        put("user", "secret");

        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);

        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void removedCredentialsAreRejectedAndStillCostAComputation() {
        put("user", "secret");
        assertThat(connect("user", "secret")).isInstanceOf(Accepted.class);

        store.remove(null, "user");

        assertThat(connect("user", "secret")).isNull();
        assertThat(connect("user", "secret")).isNull();
        assertThat(slow.verifications()).isEqualTo(3);
    }

    @Test
    void aPasswordOfAnUnknownUserIsComputedEachTime() {
        // A guess of the decoy's password would be cached, and the shorter time would reveal that the name is unknown.
        for (String guess : List.of("", "\0", "\0", "")) {
            assertThat(connect("unknown", guess)).isNull();
        }

        assertThat(slow.verifications()).isEqualTo(4);
        assertThat(counted("remembered")).isZero();
    }

    @Test
    void aMatchExpiresHoweverOftenItWasUsed() {
        String stored = hash.hash(password("secret"));
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        nanos.addAndGet(HOUR.minusSeconds(1).toNanos());
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isOne();
        assertThat(hash.isRemembered(password("secret"), stored)).isTrue();
        assertThat(hash.isRemembered(password("wrong"), stored)).isFalse();

        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(hash.isRemembered(password("secret"), stored)).isFalse();
        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(slow.verifications()).isEqualTo(2);
    }

    @Test
    void atMostTheMaximumOfMatchesIsCached() {
        RememberingPasswordHash ten = remembering(slow, 10);
        List<String> stored = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            stored.add(ten.hash(password("secret")));
            assertThat(ten.matches(password("secret"), stored.getLast(), SOURCE))
                    .isTrue();
        }

        for (String each : stored) {
            assertThat(ten.matches(password("secret"), each, SOURCE)).isTrue();
        }

        assertThat(slow.verifications()).isGreaterThanOrEqualTo(50 + 40);
    }

    @Test
    void aMaximumOfZeroDisablesTheCache() {
        RememberingPasswordHash off = remembering(slow, 0);
        String stored = off.hash(password("secret"));

        assertThat(off.matches(password("secret"), stored, SOURCE)).isTrue();
        assertThat(off.matches(password("secret"), stored, SOURCE)).isTrue();

        assertThat(off.isRemembered(password("secret"), stored)).isFalse();
        assertThat(slow.verifications()).isEqualTo(2);
        assertThat(counted("computed")).isEqualTo(2);
    }

    @Test
    void aCallerThatMayNotWaitGetsOnlyCachedMatches() {
        String stored = hash.hash(password("secret"));
        SignInSource withoutWaiting = new SignInSource("flood", "name", () -> false, false);
        assertThatExceptionOfType(SignInBusyException.class)
                .isThrownBy(() -> hash.matches(password("secret"), stored, withoutWaiting));
        assertThat(slow.verifications()).isZero();

        assertThat(hash.matches(password("secret"), stored, SOURCE)).isTrue();

        assertThat(hash.matches(password("secret"), stored, withoutWaiting)).isTrue();
        assertThat(slow.verifications()).isOne();
    }

    private double counted(String result) {
        return registry.get("heddle.authentication.verified")
                .tag("result", result)
                .counter()
                .count();
    }

    private void put(String userName, String password) {
        store.put(new StoredCredentials(
                UUID.randomUUID(), null, userName, ClientType.DEVICE, hash.hash(password(password))));
    }

    private @Nullable AuthenticationOutcome connect(String userName, String password) {
        return authenticator.authenticate(shown("client", userName, password));
    }

    private static ConnectCredentials shown(String clientId, String userName, String password) {
        return new ConnectCredentials(
                new ClientId(clientId),
                userName,
                password(password),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    private static BinaryData password(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }
}

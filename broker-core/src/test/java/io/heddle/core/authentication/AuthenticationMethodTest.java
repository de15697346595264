package io.heddle.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.EnhancedMethod.Challenge;
import io.heddle.core.authentication.EnhancedMethod.Step;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A method of the chain: its bound, its metric, and the client ids that it may not give away. */
final class AuthenticationMethodTest {
    private static final Limit ONE = new Limit("heddle.authentication.slow.maximum-pending", 1);
    private static final ConnectCredentials SHOWN = new ConnectCredentials(
            new ClientId("pump"),
            "alice",
            BinaryData.EMPTY,
            new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1));

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();

    private AuthenticationMethod method(Function<ConnectCredentials, @Nullable AuthenticationOutcome> answer) {
        return new AuthenticationMethod("slow", answer::apply, ONE, metrics);
    }

    private static Accepted accepted(boolean ownsClientId) {
        return new Accepted(new ClientIdentity(SHOWN.clientId(), ClientType.DEVICE, "alice", ownsClientId));
    }

    private long count(String outcome) {
        return metrics.timer("heddle.authentication.method", "method", "slow", "outcome", outcome)
                .count();
    }

    @Test
    void answersAreCountedByMethodAndOutcome() {
        assertThat(method(_ -> accepted(false)).authenticate(SHOWN)).isInstanceOf(Accepted.class);
        assertThat(method(_ -> null).authenticate(SHOWN)).isNull();
        method(_ -> new Refused(ReasonCode.NOT_AUTHORIZED, "no")).authenticate(SHOWN);

        assertThat(count("accepted")).isOne();
        assertThat(count("not_mine")).isOne();
        assertThat(count("not_authorized")).isOne();
    }

    @Test
    void anEnhancedMethodSharesTheBoundAndTheMetric() {
        List<Step> nested = new ArrayList<>();
        AuthenticationMethod method = method(_ -> accepted(false));
        EnhancedMethod limited = method.limiting(EnhancedMethod.of("TEST", () -> (client, data) -> {
            nested.add(Objects.requireNonNull(method.authenticate(client)));
            return new Challenge(BinaryData.EMPTY, null);
        }));

        Step step = limited.begin().answer(SHOWN, null);

        assertThat(limited.name()).isEqualTo("TEST");
        assertThat(step).isInstanceOf(Challenge.class);
        assertThat(nested)
                .containsExactly(new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for this method", ONE));
        assertThat(count("challenged")).isOne();
        assertThat(count("server_busy")).isOne();
        assertThat(method.authenticate(SHOWN)).isInstanceOf(Accepted.class);
    }

    @Test
    void oneNetworkDoesNotTakeAllPlaces() {
        ConnectCredentials other = new ConnectCredentials(
                new ClientId("valve"),
                "bob",
                BinaryData.EMPTY,
                new InetSocketAddress(InetAddress.ofLiteral("198.51.100.1"), 1));
        List<AuthenticationOutcome> ofOther = new ArrayList<>();
        AuthenticationMethod[] method = new AuthenticationMethod[1];
        Function<ConnectCredentials, @Nullable AuthenticationOutcome> slow = shown -> {
            if (shown.equals(other)) {
                return accepted(false);
            }
            // Another user of the same network comes meanwhile.
            ConnectCredentials next = new ConnectCredentials(
                    shown.clientId(), shown.userName() + "x", BinaryData.EMPTY, shown.remoteAddress());
            if (method[0].authenticate(next) instanceof Refused) {
                ofOther.add(Objects.requireNonNull(method[0].authenticate(other)));
            }
            return accepted(false);
        };
        method[0] = new AuthenticationMethod("slow", slow::apply, new Limit("maximum-pending", 4), metrics);

        method[0].authenticate(SHOWN);

        assertThat(count("server_busy")).isOne();
        assertThat(count("accepted")).isEqualTo(3);
        assertThat(ofOther).singleElement().isInstanceOf(Accepted.class);
    }

    @Test
    void theDataOfAnExchangeCanBeAPassword() {
        BinaryData token = BinaryData.wrap(new byte[] {1});
        EnhancedMethod method =
                EnhancedMethod.ofPassword("TEST", shown -> token.equals(shown.password()) ? accepted(false) : null);

        assertThat(method.begin().answer(SHOWN, token)).isEqualTo(accepted(false));
        assertThat(method.begin().answer(SHOWN, BinaryData.EMPTY))
                .isInstanceOf(Refused.class)
                .extracting(step -> ((Refused) step).reason())
                .isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(method.begin().answer(SHOWN, null)).isInstanceOf(Refused.class);
    }

    @Test
    void failuresAreCountedAndPassedOn() {
        AuthenticationMethod away = method(_ -> {
            throw new StoreUnavailableException("away", null);
        });
        AuthenticationMethod broken = method(_ -> {
            throw new IllegalStateException("a bug");
        });
        AuthenticationMethod busy = method(_ -> {
            throw new SignInBusyException("too many");
        });

        assertThatThrownBy(() -> away.authenticate(SHOWN)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> broken.authenticate(SHOWN)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> busy.authenticate(SHOWN)).isInstanceOf(SignInBusyException.class);

        assertThat(count("server_unavailable")).isOne();
        assertThat(count("unspecified_error")).isOne();
        assertThat(count("server_busy")).isOne();
    }

    @Test
    void aClientAboveTheLimitIsRefusedAndTheNextOneIsNot() {
        AuthenticationMethod[] self = new AuthenticationMethod[1];
        AuthenticationMethod method =
                method(shown -> shown.mayWait() ? self[0].authenticate(shown.withoutWaiting()) : accepted(false));
        self[0] = method;

        assertThat(method.authenticate(SHOWN))
                .isEqualTo(new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for this method", ONE));
        assertThat(method.authenticate(SHOWN.withoutWaiting())).isInstanceOf(Accepted.class);
    }

    @Test
    void clientsOfOtherMethodsNeedNoPlace() {
        Authenticator never = new Authenticator() {
            @Override
            public boolean mayApply(ConnectCredentials credentials) {
                return false;
            }

            @Override
            public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
                throw new IllegalStateException("asked");
            }
        };
        Limit none = new Limit("none", 0);

        assertThat(new AuthenticationMethod("slow", new ReservedClientIds(never, store), none, metrics)
                        .authenticate(SHOWN))
                .isNull();
    }

    @Test
    void reservedClientIdsAreOnlyForClientsThatProveThem() {
        Authenticator proved = new ReservedClientIds(_ -> accepted(true), store);
        Authenticator unproved = new ReservedClientIds(_ -> accepted(false), store);
        assertThat(unproved.authenticate(SHOWN)).isInstanceOf(Accepted.class);
        put(null, "alice");
        assertThat(unproved.authenticate(SHOWN)).isInstanceOf(Accepted.class);

        put(SHOWN.clientId(), "alice");

        assertThat(proved.authenticate(SHOWN)).isInstanceOf(Accepted.class);
        assertThat(unproved.authenticate(SHOWN))
                .isEqualTo(new Refused(ReasonCode.NOT_AUTHORIZED, "the client id is reserved by stored credentials"));
        assertThat(new ReservedClientIds(_ -> null, store).authenticate(SHOWN)).isNull();
    }

    private void put(@Nullable ClientId clientId, @Nullable String userName) {
        store.put(new StoredCredentials(UUID.randomUUID(), clientId, userName, ClientType.DEVICE, "hash"));
    }
}

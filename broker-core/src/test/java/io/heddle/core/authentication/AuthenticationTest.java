package io.heddle.core.authentication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.LogLines;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.PlainPasswordHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AuthenticationTest {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private final PlainPasswordHash passwordHash = new PlainPasswordHash();
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final LogLines log = new LogLines();
    private final ClientIncidents incidents = new ClientIncidents(log.logger(), loop::nanoTime, metrics);
    private final SignInFailures failures =
            new SignInFailures(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1), loop::nanoTime);
    private final Authenticator stored = new StoredCredentialsAuthenticator(store, passwordHash, new SecureRandom());
    private final Authenticator anonymous =
            new AnonymousAuthenticator(store, _ -> true, List.of(new ClientIdPattern("app-*")));

    /** Asserts an identity with the version of the credentials that have proved it. */
    private static void assertAccepted(AuthenticationOutcome decision, ClientIdentity expected) {
        ClientIdentity identity = ((Accepted) decision).identity();
        assertThat(identity.proof()).isNotNull();
        assertThat(identity).usingRecursiveComparison().ignoringFields("proof").isEqualTo(expected);
    }

    @Test
    void correctPasswordGrantsTheStoredTypeAndAWrongOneIsRefused() {
        put(null, "user", ClientType.APPLICATION);

        assertAccepted(
                decide(List.of(stored), "c", "user", "secret"),
                new ClientIdentity(new ClientId("c"), ClientType.APPLICATION, "user"));
        assertThat(reason(decide(List.of(stored), "c", "user", "wrong")))
                .isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(reason(decide(List.of(stored), "c", "user", null))).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(metrics.counter("heddle.authentication", "outcome", "accepted")
                        .count())
                .isOne();
        assertThat(metrics.counter("heddle.authentication", "outcome", "bad_user_name_or_password")
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aClientIsInTheGroupsOfItsCredentials() {
        store.put(new StoredCredentials(
                UUID.randomUUID(),
                null,
                "user",
                ClientType.DEVICE,
                List.of("plant-1", "pumps"),
                passwordHash.hash(BinaryData.wrap("secret".getBytes(UTF_8))),
                null));

        assertThat(((Accepted) decide(List.of(stored), "c", "user", "secret")).groups())
                .containsExactlyInAnyOrder("plant-1", "pumps");
    }

    @Test
    void clientWithoutCredentialsIsAnonymousUnlessItsClientIdIsReserved() {
        put("protected", null, ClientType.DEVICE);
        List<Authenticator> both = List.of(stored, anonymous);

        assertThat(decide(both, "other", null, null)).isInstanceOf(Accepted.class);
        assertThat(reason(decide(both, "protected", null, null))).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void reservedClientIdIsRefusedToOtherUsersAndAnonymousClients() {
        put(null, "bob", ClientType.DEVICE, "bobs");
        put("pump", null, ClientType.DEVICE, "pumps");
        put("valve", "alice", ClientType.DEVICE, "alices");
        List<Authenticator> both = List.of(stored, anonymous);

        assertThat(reason(decide(both, "pump", "bob", "bobs"))).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(reason(decide(both, "valve", "bob", "bobs"))).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(reason(decide(both, "valve", "bob", "alices"))).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(reason(decide(both, "valve", null, null))).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertAccepted(
                decide(both, "valve", "alice", "alices"),
                new ClientIdentity(new ClientId("valve"), ClientType.DEVICE, "alice", true));
        assertAccepted(
                decide(both, "free", "bob", "bobs"),
                new ClientIdentity(new ClientId("free"), ClientType.DEVICE, "bob", false));
    }

    @Test
    void userNameIsNotProvedByCredentialsWithoutUserName() {
        put("pump", null, ClientType.DEVICE);

        assertAccepted(
                decide(List.of(stored), "pump", "alice", "secret"),
                new ClientIdentity(new ClientId("pump"), ClientType.DEVICE, null, true));
    }

    @Test
    void userNameIsIgnoredWhileNoCredentialsAreStored() {
        assertThat(decide(List.of(stored, anonymous), "c", "unknown", "x")).isInstanceOf(Accepted.class);
        assertThat(decide(List.of(stored, anonymous), "c", "unknown", null)).isInstanceOf(Accepted.class);
    }

    @Test
    void clientWithUserNameIsNotAnonymousOnceCredentialsAreStored() {
        put(null, "known", ClientType.DEVICE);
        assertThat(reason(decide(List.of(stored, anonymous), "c", "unknown", "x")))
                .isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(reason(decide(List.of(stored, anonymous), "c", "unknown", null)))
                .isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @Test
    void anonymousClientIsNotAuthorizedIfAnonymousAccessIsDisabled() {
        put("protected", null, ClientType.DEVICE);
        put("named", "user", ClientType.DEVICE);

        assertThat(reason(decide(List.of(stored), "protected", null, null))).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(reason(decide(List.of(stored), "named", null, null))).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(reason(decide(List.of(stored), "c", null, null))).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void unavailableStoreRefusesTheClient() {
        Authenticator broken = _ -> {
            throw new StoreUnavailableException("the store is down", null);
        };

        assertThat(reason(decide(List.of(broken, anonymous), "c", null, null)))
                .isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
    }

    @Test
    void failingAuthenticatorRefusesTheClient() {
        Authenticator broken = _ -> {
            throw new IllegalStateException("a bug");
        };

        assertThat(reason(decide(List.of(broken, anonymous), "c", null, null))).isEqualTo(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Test
    void anAuthenticatorThatExhaustsTheStackRefusesTheClient() {
        Authenticator recursive = _ -> {
            throw new StackOverflowError();
        };

        assertThat(reason(decide(List.of(recursive), "c", "user", "secret"))).isEqualTo(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Test
    void onlyAProvedNameForgetsItsFailures() {
        put(null, "user", ClientType.DEVICE);
        for (int i = 0; i < 5; i++) {
            decide(List.of(stored), "c", "user", "wrong");
        }
        SignInSource elsewhere = shown("c", "user", null, "198.51.100.7").signInSource();
        Authenticator another = shown ->
                new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, "proved by a certificate"));

        decide(List.of(another), "c", "user", null);
        assertThat(failures.isFailing(elsewhere)).isTrue();

        decide(List.of(stored), "c", "user", "secret");
        assertThat(failures.isFailing(elsewhere)).isFalse();
    }

    @Test
    void clientsAboveTheMaximumPendingAreRefusedAsServerBusy() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        Authentication authentication =
                new Authentication(List.of(anonymous), List.of(), waiting::add, 2, failures, incidents, metrics);
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            authentication.authenticate(shown("c" + i, null, null, "192.0.2." + i), loop, outcomes::add);
        }
        loop.runTasks();
        assertThat(outcomes).hasSize(1);
        assertThat(reason(outcomes.getFirst())).isEqualTo(ReasonCode.SERVER_BUSY);
        assertThat(outcomes.getFirst())
                .asInstanceOf(InstanceOfAssertFactories.type(AuthenticationOutcome.Refused.class))
                .returns(new Limit("heddle.authentication.maximum-pending", 2), AuthenticationOutcome.Refused::limit);
        assertThat(metrics.get("heddle.authentication.pending").gauge().value()).isEqualTo(2);

        waiting.remove().run();
        waiting.remove().run();
        waiting.remove().run();
        waiting.remove().run();
        authentication.authenticate(shown("c4", null, null), loop, outcomes::add);
        loop.runTasks();

        assertThat(outcomes).hasSize(5);
        assertThat(outcomes.getLast()).isInstanceOf(Accepted.class);
        assertThat(waiting).hasSize(1);
    }

    @Test
    void clientAboveItsNetworksShareIsAuthenticatedIfNoHashIsComputed() {
        Queue<Runnable> waiting = new ArrayDeque<>();
        List<Boolean> places = new ArrayList<>();
        Authenticator noting = shown -> {
            places.add(shown.mayWait());
            return null;
        };
        Authentication authentication = new Authentication(
                List.of(noting, anonymous), List.of(), waiting::add, 2, failures, incidents, metrics);
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        authentication.authenticate(shown("flood", null, null), loop, outcomes::add);
        authentication.authenticate(shown("honest", null, null), loop, outcomes::add);

        waiting.forEach(Runnable::run);
        loop.runTasks();

        assertThat(outcomes).hasSize(2).allMatch(Accepted.class::isInstance);
        assertThat(places).containsExactly(true, false);
    }

    @Test
    void disconnectedClientIsNotAuthenticated() {
        Authenticator unexpected = _ -> {
            throw new IllegalStateException("asked about a client that has gone");
        };
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        ConnectCredentials shown = shown("c", "user", "secret");
        new Authentication(List.of(unexpected), List.of(), Runnable::run, 1, failures, incidents, metrics)
                .authenticate(
                        new ConnectCredentials(
                                shown.clientId(),
                                "user",
                                shown.password(),
                                shown.remoteAddress(),
                                () -> true,
                                true,
                                null,
                                ""),
                        loop,
                        outcomes::add);
        loop.runTasks();

        assertThat(reason(outcomes.getFirst())).isEqualTo(ReasonCode.SERVER_BUSY);
        assertThat(metrics.get("heddle.authentication")
                        .tag("outcome", "gone")
                        .counter()
                        .count())
                .isOne();
    }

    @Test
    void passwordNotVerifiedInTimeIsRefusedAsServerBusy() {
        Authenticator busy = _ -> {
            throw new SignInBusyException("too many others");
        };

        assertThat(reason(decide(List.of(busy, anonymous), "c", null, null))).isEqualTo(ReasonCode.SERVER_BUSY);
    }

    @Test
    void wrongPasswordsAreDelayedWithoutAPendingPlaceAndCorrectOnesAreNot() {
        put(null, "user", ClientType.DEVICE);
        Authentication authentication =
                new Authentication(List.of(stored), List.of(), Runnable::run, 2, failures, incidents, metrics);
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        authentication.authenticate(shown("c", "user", "wrong"), loop, outcomes::add);
        loop.runTasks();
        assertThat(outcomes).isEmpty();
        assertThat(metrics.get("heddle.authentication.pending").gauge().value()).isZero();
        assertThat(metrics.get("heddle.authentication.delayed").gauge().value()).isOne();

        authentication.authenticate(shown("c", "user", "secret"), loop, outcomes::add);
        loop.runTasks();
        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.getFirst()).isInstanceOf(Accepted.class);

        loop.advance(Duration.ofMillis(99));
        assertThat(outcomes).hasSize(1);
        loop.advance(Duration.ofMillis(1));
        assertThat(reason(outcomes.getLast())).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(metrics.get("heddle.authentication.delayed").gauge().value()).isZero();
    }

    @Test
    void theFifthWrongPasswordOfANetworkIsAWarningWithTheClient() {
        Authentication authentication =
                new Authentication(List.of(stored), List.of(), Runnable::run, 10, failures, incidents, metrics);
        put(null, "user", ClientType.DEVICE);
        for (int i = 1; i < SignInFailures.FAILING; i++) {
            authentication.authenticate(shown("c" + i, "user", "wrong"), loop, _ -> {});
        }
        assertThat(log.all()).isEmpty();

        for (int i = SignInFailures.FAILING; i < 20; i++) {
            authentication.authenticate(shown("c" + i, "user", "wrong"), loop, _ -> {});
        }

        assertThat(log.only())
                .startsWith("WARN Sign-ins have failed repeatedly")
                .contains("clientId=c5, userName=user, address=");
    }

    @Test
    void refusalsAboveTheMaximumDelayedAreSentImmediately() {
        Authentication authentication =
                new Authentication(List.of(stored), List.of(), Runnable::run, 2, failures, incidents, metrics);
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        put(null, "user", ClientType.DEVICE);
        for (int i = 0; i < 3; i++) {
            authentication.authenticate(shown("c", "user", "wrong"), loop, outcomes::add);
        }
        loop.runTasks();

        assertThat(outcomes).hasSize(1);
        assertThat(reason(outcomes.getFirst())).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @ParameterizedTest
    @CsvSource({
        "app-*, app-1, true",
        "app-*, app-, true",
        "app-*, ap, false",
        "*, anything, true",
        "a?c, abc, true",
        "a?c, ac, false",
        "*a*b, xxaxxb, true",
        "*a*b, xxaxx, false",
        "'a.c', abc, false",
        "a*a*a*a*a*a*b, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false"
    })
    void patternsMatchWholeClientIds(String glob, String clientId, boolean matches) {
        assertThat(new ClientIdPattern(glob).matches(new ClientId(clientId))).isEqualTo(matches);
    }

    @Test
    void anonymousClientsAreDevicesUnlessAPatternMatches() {
        assertThat(decide(List.of(anonymous), "app-1", null, null))
                .extracting(outcome -> ((Accepted) outcome).identity().type())
                .isEqualTo(ClientType.APPLICATION);
        assertThat(decide(List.of(anonymous), "device-1", null, null))
                .extracting(outcome -> ((Accepted) outcome).identity().type())
                .isEqualTo(ClientType.DEVICE);
    }

    @ParameterizedTest
    @CsvSource({
        ", true, true, false, ALLOWED", ", true, false, true, REFUSED", ", true, false, false, NO_CLIENT_COULD_CONNECT",
        ", false, true, true, REFUSED", ", false, false, false, REFUSED", "true, false, false, false, ALLOWED",
        "true, true, false, false, ALLOWED", "false, true, true, false, REFUSED"
    })
    void anonymousAccessDependsOnSettingProfileAndListeners(
            @Nullable Boolean configured,
            boolean standalone,
            boolean loopback,
            boolean stored,
            AnonymousAccess decision) {
        assertThat(AnonymousAccess.decide(configured, standalone, loopback, () -> stored))
                .isEqualTo(decision);
    }

    private void put(@Nullable String clientId, @Nullable String userName, ClientType type) {
        put(clientId, userName, type, "secret");
    }

    private void put(@Nullable String clientId, @Nullable String userName, ClientType type, String password) {
        store.put(new StoredCredentials(
                UUID.randomUUID(),
                clientId == null ? null : new ClientId(clientId),
                userName,
                type,
                passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)))));
    }

    private AuthenticationOutcome decide(
            List<Authenticator> authenticators, String clientId, @Nullable String userName, @Nullable String password) {
        List<AuthenticationOutcome> outcomes = new ArrayList<>();
        new Authentication(authenticators, List.of(), Runnable::run, 1, failures, incidents, metrics)
                .authenticate(shown(clientId, userName, password), loop, outcomes::add);
        loop.runTasks();
        loop.advance(Duration.ofSeconds(5));
        assertThat(outcomes).hasSize(1);
        return outcomes.getFirst();
    }

    private static ConnectCredentials shown(String clientId, @Nullable String userName, @Nullable String password) {
        return shown(clientId, userName, password, "192.0.2.1");
    }

    private static ConnectCredentials shown(
            String clientId, @Nullable String userName, @Nullable String password, String address) {
        return new ConnectCredentials(
                new ClientId(clientId),
                userName,
                password == null ? null : BinaryData.wrap(password.getBytes(UTF_8)),
                new InetSocketAddress(InetAddress.ofLiteral(address), 1));
    }

    private static ReasonCode reason(AuthenticationOutcome outcome) {
        return ((Refused) outcome).reason();
    }
}

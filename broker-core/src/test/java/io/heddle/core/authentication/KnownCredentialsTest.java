package io.heddle.core.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges.Changed;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class KnownCredentialsTest {
    private static final ClientId PUMP = new ClientId("pump");
    private static final int MAXIMUM = 100;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final InMemoryCredentialsStore store = new InMemoryCredentialsStore();
    private boolean isDown;
    private Runnable afterFind = () -> {};
    private long nanos;
    private final KnownCredentials known = new KnownCredentials(failing(), MAXIMUM, () -> nanos, metrics);

    /** Returns the store, which fails while it is down. */
    private CredentialsStore failing() {
        return (CredentialsStore) Proxy.newProxyInstance(
                CredentialsStore.class.getClassLoader(),
                new Class<?>[] {CredentialsStore.class},
                (_, method, given) -> {
                    if (isDown) {
                        throw new StoreUnavailableException("PostgreSQL", new IllegalStateException("refused"));
                    }
                    Object found = method.invoke(store, given);
                    if (method.getName().equals("find")) {
                        afterFind.run();
                    }
                    return found;
                });
    }

    @BeforeEach
    void readAll() {
        apply();
        apply();
    }

    private void apply() {
        known.apply(store.changes().await(Duration.ofMillis(1)));
    }

    private StoredCredentials put(@Nullable String clientId, @Nullable String userName, String hash) {
        StoredCredentials credentials = new StoredCredentials(
                UUID.randomUUID(), clientId == null ? null : new ClientId(clientId), userName, ClientType.DEVICE, hash);
        store.put(credentials);
        return credentials;
    }

    /** A client shows names and the password. */
    private @Nullable StoredCredentials signIn(String clientId, @Nullable String userName) {
        return signIn(known, new ClientId(clientId), userName);
    }

    private static @Nullable StoredCredentials signIn(
            KnownCredentials known, ClientId clientId, @Nullable String userName) {
        long before = known.changeCount();
        StoredCredentials found = known.find(clientId, userName);
        if (found != null && found.fit(userName)) {
            known.keep(found, clientId, userName, before);
        }
        return found;
    }

    private double answered(String by) {
        return metrics.counter("heddle.credentials.lookups", "answer", by).count();
    }

    @Test
    void credentialsThatWereFoundAreRecentUntilTheyChange() {
        StoredCredentials before = put(null, "user", "one");
        apply();
        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(signIn("pump", "user")).isEqualTo(before);
        assertThat(known.findRecent(PUMP, "user")).isEqualTo(before);
        assertThat(known.findRecent(PUMP, "other")).isNull();

        store.renew(before, "two");
        apply();

        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(answered("recent")).isEqualTo(1);
        assertThat(answered("asked")).isEqualTo(1);
    }

    @Test
    void removedCredentialsAreNotRecent() {
        StoredCredentials credentials = put(null, "user", "one");
        var _ = signIn("pump", "user");
        apply();
        var _ = signIn("pump", "user");

        store.remove(credentials.id());
        apply();

        assertThat(known.findRecent(PUMP, "user")).isNull();
    }

    @Test
    void newCredentialsThatReserveTheClientIdDecideInsteadOfRecentOnes() {
        put(null, "user", "one");
        apply();
        var _ = signIn("pump", "user");
        var _ = signIn("other", "user");

        put("pump", "somebody", "two");
        apply();

        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(known.findRecent(new ClientId("other"), "user")).isNotNull();
    }

    @Test
    void anAnswerFromBeforeAChangeIsNotRecentAfterIt() {
        StoredCredentials before = put(null, "user", "one");
        apply();
        afterFind = () -> {
            store.remove(before.id());
            apply();
        };

        var _ = signIn("pump", "user");

        assertThat(known.findRecent(PUMP, "user")).isNull();
    }

    @Test
    void nothingIsRecentAfterTwoSecondsWithoutTheStore() {
        put(null, "user", "one");
        apply();
        var _ = signIn("pump", "user");

        nanos += Duration.ofSeconds(KnownCredentials.CURRENT_SECONDS).toNanos();

        assertThat(known.findRecent(PUMP, "user")).isNull();
        apply();
        assertThat(known.findRecent(PUMP, "user")).isNotNull();
    }

    @Test
    void changesThatCouldNotBeReadAreReadLater() {
        StoredCredentials before = put(null, "user", "one");
        apply();
        var _ = signIn("pump", "user");
        store.remove(before.id());
        put("reserved", null, "two");
        isDown = true;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(this::apply);
        isDown = false;

        apply();

        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(known.findForOthers(new ClientId("reserved"), null)).isNotNull();
    }

    @Test
    void theStoreIsNotAskedAboutClientsThatNoCredentialsMention() {
        put("reserved", null, "one");
        put(null, "user", "one");
        apply();

        assertThat(known.findForOthers(PUMP, null)).isNull();
        assertThat(known.findForOthers(PUMP, "stranger")).isNull();
        assertThat(answered("asked")).isZero();
        assertThat(answered("unmentioned")).isEqualTo(2);
        assertThat(known.findForOthers(PUMP, "user")).isNotNull();
        assertThat(known.findForOthers(new ClientId("reserved"), "stranger")).isNotNull();
    }

    @Test
    void whileTheStoreIsAwayOnlyClientsThatNoCredentialsMentionGetAnAnswer() {
        put("reserved", null, "one");
        apply();
        isDown = true;
        nanos += Duration.ofMinutes(1).toNanos();

        assertThat(known.findForOthers(PUMP, null)).isNull();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> known.findForOthers(new ClientId("reserved"), null));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> known.find(PUMP, null));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(known::isEmpty);
    }

    @Test
    void theStoreIsAskedIfItDoesNotTellItsChanges() {
        put(null, "user", "one");
        KnownCredentials untold = new KnownCredentials(failing(), MAXIMUM, () -> nanos, metrics);
        for (boolean isGap : List.of(true, false)) {
            untold.apply(new Changed(isGap, Set.of(), false, null));

            var _ = signIn(untold, PUMP, "user");
            assertThat(untold.findRecent(PUMP, "user")).isNull();
            assertThat(untold.findForOthers(PUMP, null)).isNull();
        }
        assertThat(answered("unmentioned")).isZero();
        assertThat(answered("asked")).isEqualTo(4);
        isDown = true;
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> untold.findForOthers(PUMP, null));
    }

    @Test
    void nothingIsKnownBeforeTheFirstRead() {
        KnownCredentials unread = new KnownCredentials(failing(), MAXIMUM, () -> nanos, metrics);
        isDown = true;

        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> unread.findForOthers(PUMP, null));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(unread::isEmpty);
    }

    @Test
    void anEmptyStoreNeedNotBeAsked() {
        isDown = true;
        assertThat(known.isEmpty()).isTrue();
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(known.isEmpty()).isTrue();

        isDown = false;
        put(null, "user", "one");
        apply();
        assertThat(known.isEmpty()).isFalse();
    }

    @Test
    void namesAreReadAgainWhenThereAreManyMore() {
        for (int i = 0; i < 12_000; i++) {
            put("meter-" + i, null, "one");
        }
        apply();
        apply();

        assertThat(known.findForOthers(PUMP, null)).isNull();
        assertThat(known.findForOthers(new ClientId("meter-11999"), null)).isNotNull();
        assertThat(answered("unmentioned")).isEqualTo(1);
    }

    @Test
    void credentialsOfAUserAreKeptOnceForAllItsClients() {
        put("reserved", "user", "two");
        StoredCredentials credentials = put(null, "user", "one");
        apply();
        var _ = signIn("pump", "user");

        assertThat(known.findRecent(new ClientId("other"), "user")).isSameAs(known.findRecent(PUMP, "user"));
        assertThat(known.findRecent(PUMP, "user")).isEqualTo(credentials);
        assertThat(known.findRecent(new ClientId("reserved"), "user")).isNull();
        assertThat(known.findRecent(PUMP, null)).isNull();
    }

    @Test
    void credentialsWithTheUserNameDecideBeforeRecentOnesForAnyUserName() {
        put("pump", null, "one");
        apply();
        var _ = signIn("pump", "user");

        StoredCredentials closer = put("pump", "user", "two");
        apply();

        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(known.find(PUMP, "user")).isEqualTo(closer);
    }

    @Test
    void credentialsForAnyUserNameDoNotDecideInsteadOfThoseWithTheUserName() {
        put("pump", null, "one");
        StoredCredentials closer = put("pump", "user", "two");
        apply();
        var _ = signIn("pump", "other");

        assertThat(known.findRecent(PUMP, "other")).isNotNull();
        assertThat(known.findRecent(PUMP, "user")).isNull();
        assertThat(signIn("pump", "user")).isEqualTo(closer);
        assertThat(known.findRecent(PUMP, "user")).isEqualTo(closer);
    }

    @Test
    void recentCredentialsAreBounded() {
        int count = 10 * MAXIMUM;
        for (int i = 0; i < count; i++) {
            put("c" + i, null, "one");
            put(null, "u" + i, "one");
        }
        apply();
        for (int i = 0; i < count; i++) {
            var _ = signIn("c" + i, "user");
            var _ = signIn("pump", "u" + i);
        }

        int ofClients = 0;
        int ofUsers = 0;
        for (int i = 0; i < count; i++) {
            ofClients += known.findRecent(new ClientId("c" + i), "user") == null ? 0 : 1;
            ofUsers += known.findRecent(PUMP, "u" + i) == null ? 0 : 1;
        }
        assertThat(ofClients).isBetween(MAXIMUM / 2, MAXIMUM);
        assertThat(ofUsers).isBetween(MAXIMUM / 2, MAXIMUM);
    }

    @Test
    void credentialsThatNobodyHasProvedAreNotKept() {
        put("pump", null, "one");
        apply();
        assertThat(known.findForOthers(PUMP, "any")).isNotNull();
        assertThat(known.find(PUMP, "any")).isNotNull();

        assertThat(known.findRecent(PUMP, "any")).isNull();
    }

    @Test
    void longUserNamesAreNotKept() {
        put("pump", null, "one");
        apply();

        assertThat(signIn("pump", "x".repeat(1_025))).isNotNull();
        assertThat(known.findRecent(PUMP, "x".repeat(1_025))).isNull();
        assertThat(signIn("pump", "x".repeat(1_024))).isNotNull();
        assertThat(known.findRecent(PUMP, "x".repeat(1_024))).isNotNull();
    }

    @Test
    void theTwoSecondsBeginWhenTheStoreHadToldAllChanges() {
        put(null, "user", "one");
        apply();
        var _ = signIn("pump", "user");

        known.apply(new Changed(false, Set.of(), false, Duration.ofMillis(1_900)));
        assertThat(known.findRecent(PUMP, "user")).isNotNull();
        nanos += Duration.ofMillis(100).toNanos();

        assertThat(known.findRecent(PUMP, "user")).isNull();
    }
}

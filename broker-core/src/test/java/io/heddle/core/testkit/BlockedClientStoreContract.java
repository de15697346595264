package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link BlockedClientStore}. Each test starts with an empty store. */
public abstract class BlockedClientStoreContract {
    private static final Instant CREATED = Instant.parse("2026-11-01T10:00:00.123Z");

    protected abstract BlockedClientStore store();

    /** Stores this number of entries without an end, of other values than those of the tests. */
    protected abstract void fill(int entries);

    /** An entry of an administrator without an end. */
    public static BlockedClient entry(Kind kind, String value) {
        return entry(kind, value, null, "ada");
    }

    /** An entry. */
    public static BlockedClient entry(Kind kind, String value, @Nullable Instant until, String createdBy) {
        return new BlockedClient(UUID.randomUUID(), kind, value, "Größe \"7\"", until, createdBy, CREATED);
    }

    private static Instant in(Duration time) {
        return Instant.now().plus(time).truncatedTo(ChronoUnit.MILLIS);
    }

    @Test
    protected void entriesOfAllKindsAreStoredAndRemoved() {
        BlockedClient timed = entry(Kind.ADDRESS, "10.0.0.0/8", in(Duration.ofHours(1)), "ada");
        BlockedClient user = entry(Kind.USER_NAME, "sensors");
        BlockedClient pattern = entry(Kind.CLIENT_ID_PATTERN, "sensors");
        BlockedClient client = entry(Kind.CLIENT_ID, "sensors");
        for (BlockedClient each : new BlockedClient[] {timed, user, pattern, client}) {
            assertThat(store().put(each)).isTrue();
        }

        assertThat(store().all()).containsExactlyInAnyOrder(timed, user, pattern, client);
        assertThat(store().find(timed.id())).isEqualTo(timed);

        store().remove(user.id());
        store().remove(UUID.randomUUID());

        assertThat(store().find(user.id())).isNull();
        assertThat(store().all()).containsExactlyInAnyOrder(timed, pattern, client);
    }

    @Test
    protected void aSecondEntryReplacesTheFirst() {
        BlockedClient first = entry(Kind.CLIENT_ID, "pump");
        BlockedClient second = entry(Kind.CLIENT_ID, "pump", in(Duration.ofHours(1)), "bob");
        store().put(first);

        assertThat(store().put(second)).isTrue();

        assertThat(store().all()).containsExactly(second);
    }

    @Test
    protected void twoSpellingsOfANetworkAreOneEntry() {
        BlockedClient second = entry(Kind.ADDRESS, "fd00::/8", in(Duration.ofHours(1)), "bob");
        store().put(entry(Kind.ADDRESS, "FD00:0:0::1/8"));

        assertThat(store().put(second)).isTrue();

        assertThat(store().all()).containsExactly(second);
    }

    @Test
    protected void anEntryOfTheBrokerDoesNotReplaceThatOfAnAdministrator() {
        BlockedClient forEver = entry(Kind.CLIENT_ID, "pump");
        store().put(forEver);

        assertThat(store().put(entry(Kind.CLIENT_ID, "pump", in(Duration.ofMinutes(5)), BlockedClient.FLAPPING)))
                .isTrue();

        assertThat(store().all()).containsExactly(forEver);
    }

    @Test
    protected void anEntryThatHasEndedIsAsGoodAsRemoved() {
        BlockedClient ended = entry(Kind.CLIENT_ID, "pump", in(Duration.ofMinutes(-1)), "ada");
        store().put(ended);

        assertThat(store().all()).isEmpty();
        assertThat(store().find(ended.id())).isNull();
        store().removeEnded();

        BlockedClient next = entry(Kind.CLIENT_ID, "pump", in(Duration.ofMinutes(5)), BlockedClient.FLAPPING);
        store().put(entry(Kind.CLIENT_ID, "pump", in(Duration.ofMinutes(-1)), "ada"));
        assertThat(store().put(next)).isTrue();
        assertThat(store().all()).containsExactly(next);
    }

    @Test
    protected void thereIsAMaximumWithRoomForAdministrators() {
        fill(BlockedClientStore.MAXIMUM_FOR_FLAPPING);
        Supplier<BlockedClient> ofBroker =
                () -> entry(Kind.CLIENT_ID, "pump", in(Duration.ofMinutes(5)), BlockedClient.FLAPPING);
        assertThat(store().put(ofBroker.get())).isFalse();
        BlockedClient last = entry(Kind.CLIENT_ID, "last");
        assertThat(store().put(last)).isTrue();

        fill(BlockedClientStore.MAXIMUM - BlockedClientStore.MAXIMUM_FOR_FLAPPING - 1);

        assertThat(store().put(entry(Kind.CLIENT_ID, "pump"))).isFalse();
        assertThat(store().put(entry(Kind.CLIENT_ID, "last"))).isTrue();
        assertThat(store().all()).hasSize(BlockedClientStore.MAXIMUM);
    }
}

package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class PersistentSessionsTest extends PersistentSessionsFixture {
    @Test
    void aNewSessionIsKnownAtOnceAndCompletesWhenItsRecordIsDurable() {
        sessionLog.hold();

        CompletableFuture<PersistentSession> begun = begin(PUMP, 3_600, 42).toCompletableFuture();

        assertThat(begun).isNotDone();
        PersistentSession session = Objects.requireNonNull(sessions.find(PUMP));
        assertThat(session.isAcquired()).isTrue();
        sessionLog.release();
        assertThat(begun).isCompletedWithValue(session);
        assertThat(records())
                .containsExactly(Map.entry(
                        "pump-1", new SessionRecord(42, ClientType.DEVICE, "user", 3_600, "node-1-a", 42, 0)));
        assertThat(session.generation()).isEqualTo(42);
        assertThat(session.bucket()).isEqualTo(new Buckets(16).of(PUMP));
        assertThat(metrics.get("heddle.sessions.persistent").gauge().value()).isOne();
    }

    @Test
    void theRecordFollowsTheClientThroughItsConnections() {
        PersistentSession session = begun(PUMP, 60, 42);
        loop.advance(Duration.ofSeconds(1));

        sessions.disconnected(session, 90, null);
        assertThat(records())
                .containsEntry("pump-1", new SessionRecord(42, ClientType.DEVICE, "user", 90, "", 42, NOW + 1_000));
        assertThat(session.isIdle()).isTrue();

        assertThat(sessions.acquire(session)).isTrue();
        assertThat(sessions.acquire(session)).as("another connection has it").isFalse();
        sessions.connected(session, 30, "other", "node-1-a", 50, null);
        assertThat(records())
                .containsEntry("pump-1", new SessionRecord(42, ClientType.DEVICE, "other", 30, "node-1-a", 50, 0));
    }

    @Test
    void endingASessionRemovesAllOfItsState() {
        PersistentSession session = begun(PUMP, 60, 1_000);
        subscribe(session, "a/+");
        subscribe(session, "$share/g/b");
        Registration registered = answer(store.connect(session.bucket(), PUMP, 1_000, 0, 1_001, "node-1-a"));
        assertThat(routes()).hasSize(2);

        answer(sessions.end(session));

        assertThat(sessions.find(PUMP)).isNull();
        assertThat(sessions.all()).isEmpty();
        assertThat(records()).isEmpty();
        assertThat(routes()).isEmpty();
        assertThat(trie.size()).isZero();
        assertThat(memory.chargedBytes()).isZero();
        assertThat(sessions.acquire(session)).isFalse();
        assertThat(sessions.queued().hasEnded(PUMP, 1_000)).isTrue();
        assertThat(answer(store.page(session.bucket(), PUMP, 1_000, registered.epoch(), 1, 1, 1))
                        .isOwned())
                .as("its queue is removed")
                .isFalse();
    }

    @Test
    void endingASessionCompletesWhenTheRemovalIsDurable() {
        PersistentSession session = begun(PUMP, 60, 42);
        sessionLog.hold();

        CompletableFuture<Void> ended = sessions.end(session).toCompletableFuture();
        assertThat(ended).isNotDone();
        sessionLog.release();

        assertThat(ended).isCompleted();
    }

    @Test
    void sessionsExpireInOrderAndInLimitedNumbers() {
        PersistentSession slow = gone("slow", 30);
        PersistentSession quick = gone("quick", 10);
        PersistentSession middle = gone("middle", 20);
        gone("forever", FOREVER);
        subscribe(quick, "a");

        loop.advance(Duration.ofSeconds(9));
        assertThat(endExpired(10)).isEmpty();
        loop.advance(Duration.ofDays(1));
        assertThat(endExpired(2)).containsExactly(quick, middle);
        assertThat(endExpired(2)).containsExactly(slow);
        assertThat(endExpired(2)).isEmpty();

        assertThat(records()).containsOnlyKeys("forever");
        assertThat(routes()).isEmpty();
        assertThat(metrics.counter("heddle.sessions.expired").count()).isEqualTo(3);
    }

    @Conformance("MQTT-4.1.0-1")
    @Test
    void aSessionDoesNotExpireWhileItsClientIsConnected() {
        PersistentSession session = gone("pump", 10);
        assertThat(sessions.acquire(session)).isTrue();
        sessions.connected(session, 10, null, "node-1-a", 50, null);
        loop.advance(Duration.ofDays(1));

        assertThat(endExpired(10)).isEmpty();
        assertThat(sessions.find(session.clientId())).isSameAs(session);

        sessions.disconnected(session, 10, null);
        loop.advance(Duration.ofSeconds(10));
        assertThat(endExpired(10)).containsExactly(session);
    }

    @Test
    void aSessionAcquiredWhenDueEndsIfItsClientFailsToReconnect() {
        PersistentSession session = gone("pump", 10);
        PersistentSession other = gone("other", 11);
        assertThat(sessions.acquire(session)).isTrue();
        loop.advance(Duration.ofSeconds(11));
        assertThat(endExpired(1)).as("its client is connecting").isEmpty();
        assertThat(endExpired(1)).as("it does not delay others").containsExactly(other);

        sessions.release(session);

        assertThat(endExpired(1)).containsExactly(session);
    }

    @Test
    void aSessionReleasedByItsHolderStillExpires() {
        PersistentSession session = gone("pump", 10);
        assertThat(sessions.acquire(session)).isTrue();
        loop.advance(Duration.ofSeconds(10));
        assertThat(endExpired(1)).isEmpty();
        session.release();

        loop.advance(Duration.ofSeconds(1));

        assertThat(endExpired(1)).containsExactly(session);
    }

    @Test
    void aSessionIsDisconnectedFromItsRelease() {
        PersistentSession session = begun(PUMP, 10, 42);
        loop.advance(Duration.ofSeconds(5));

        sessions.release(session);

        assertThat(session.record().awaySinceMillis()).isEqualTo(NOW + 5_000);
        assertThat(session.isIdle()).isTrue();
    }

    @Test
    void theEndOfASessionDoesNotAffectTheClientsNextSession() {
        PersistentSession before = begun(PUMP, 10, 42);
        subscribe(before, "a");
        sessions.disconnected(before, 10, null);
        before.end();

        PersistentSession after = begun(PUMP, 60, 50);
        subscribe(after, "a");
        answer(sessions.end(before));

        assertThat(sessions.find(PUMP)).isSameAs(after);
        assertThat(records()).containsOnlyKeys("pump-1");
        assertThat(records().values())
                .allSatisfy(record -> assertThat(record.generation()).isEqualTo(50));
        assertThat(routes()).containsOnlyKeys("pump-1 a");
        assertThat(routes().values())
                .allSatisfy(route -> assertThat(route.generation()).isEqualTo(50));
        assertThat(trie.size()).isOne();
        assertThat(before.subscriptions()).isEmpty();
    }

    @Test
    void onlyTheEventLoopOfTheBucketEndsASession() throws Exception {
        PersistentSession session = begun(PUMP, 60, 42);
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        Thread other = Thread.ofPlatform().unstarted(() -> sessions.end(session));
        other.setUncaughtExceptionHandler((_, reason) -> refused.add(reason));
        other.start();
        other.join();

        assertThat(refused).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(sessions.find(PUMP)).isSameAs(session);
        assertThat(records()).containsOnlyKeys("pump-1");
    }

    @Test
    void theQueueOfASessionIsRemovedWhenItsEndIsDurable() {
        PersistentSession session = begun(PUMP, 10, 42);
        answer(store.connect(session.bucket(), PUMP, 42, 0, 42, "node-1-a"));
        sessionLog.hold();
        var _ = sessions.end(session);
        assertThat(isRegistered(PUMP, 42)).isTrue();

        sessionLog.release();

        assertThat(isRegistered(PUMP, 42)).isFalse();
    }

    @Test
    void aFailedEndIsAppendedAgainUnlessTheClientHasANewSession() {
        PersistentSession pump = begun(PUMP, 60, 42);
        PersistentSession valve = begun(new ClientId("valve"), 60, 43);
        sessionLog.failWith(new IllegalStateException("too much waits"));
        assertThat(sessions.end(pump).toCompletableFuture()).isCompletedExceptionally();
        assertThat(sessions.end(valve).toCompletableFuture()).isCompletedExceptionally();
        sessions.retryWrites(10);
        sessionLog.failWith(null);
        begun(new ClientId("valve"), 60, 44);

        sessions.retryWrites(10);

        assertThat(records().values())
                .extracting(SessionRecord::generation)
                .as("the second one of the valve")
                .containsExactly(44L);
    }

    /** The record of the next session confirms the end of the first one. */
    @Test
    void aFailedEndRemovesItsQueueAlsoWhenTheClientHasANewSession() {
        PersistentSession session = begun(PUMP, 60, 42);
        answer(store.connect(session.bucket(), PUMP, 42, 0, 42, "node-1-a"));
        sessionLog.failWith(new IllegalStateException("too much waits"));
        assertThat(sessions.end(session).toCompletableFuture()).isCompletedExceptionally();
        sessionLog.failWith(null);
        begun(PUMP, 60, 44);
        assertThat(isRegistered(PUMP, 42)).isTrue();

        sessions.retryWrites(10);

        assertThat(isRegistered(PUMP, 42)).isFalse();
        assertThat(records())
                .hasEntrySatisfying(
                        "pump-1", record -> assertThat(record.generation()).isEqualTo(44));
    }

    @Test
    void theRoutesOfAnEndedSessionAreRemovedInSteps() {
        PersistentSession session = begun(PUMP, 60, 42);
        for (int i = 0; i < 1_000; i++) {
            subscribe(session, "x".repeat(1_000) + i);
        }
        routeLog.hold();

        sessions.end(session);

        assertThat(records()).isEmpty();
        assertThat(routeLog.size()).as("few removals are in flight").isBetween(1_010, 1_200);
        while (!routes().isEmpty()) {
            int before = routeLog.size();
            routeLog.release();
            routeLog.hold();
            sessions.routes().forgetWaiting(1_000);
            assertThat(routeLog.size()).isBetween(before + 1, before + 200);
        }
    }

    @Test
    void aRouteOfTheClientsNextSessionIsNotRemoved() {
        PersistentSession session = begun(PUMP, 60, 42);
        for (int i = 0; i < 1_000; i++) {
            subscribe(session, "x".repeat(1_000) + i);
        }
        routeLog.hold();
        sessions.end(session);
        routeLog.release();
        String last = routes().keySet().iterator().next();
        PersistentSession next = begun(PUMP, 60, 43);
        subscribe(next, last.substring(last.indexOf(' ') + 1));

        for (int i = 0; i < 10; i++) {
            sessions.routes().forgetWaiting(1_000);
        }

        assertThat(routes().get(last))
                .isNotNull()
                .satisfies(route -> assertThat(route.generation()).isEqualTo(next.generation()));
    }

    @Test
    void endsOfManySessionsWaitUntilTheirRoutesAreRemoved() {
        for (int i = 0; i < 20; i++) {
            PersistentSession session = begun(new ClientId("c" + i), 60, 42 + i);
            for (int j = 0; j < 100; j++) {
                subscribe(session, "x".repeat(1_000) + i + "/" + j);
            }
        }
        routeLog.hold();
        for (PersistentSession session : List.copyOf(sessions.all())) {
            sessions.end(session);
        }
        assertThat(sessions.routes().hasRoomForEnded()).isFalse();

        for (int i = 0; i < 20; i++) {
            routeLog.release();
            routeLog.hold();
            sessions.routes().forgetWaiting(1_000);
        }

        assertThat(sessions.routes().hasRoomForEnded()).isTrue();
        assertThat(routes()).isEmpty();
    }
}

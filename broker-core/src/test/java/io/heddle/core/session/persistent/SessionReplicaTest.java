package io.heddle.core.session.persistent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A node that follows the log which {@link #sessions}, those of another node, are written to. */
class SessionReplicaTest extends PersistentSessionsFixture {
    private static final int BUCKETS = 16;
    private static final Buckets BUCKET_OF = new Buckets(BUCKETS);

    private final SubscriptionTrie followedTrie = new SubscriptionTrie();
    private final MemoryBudget followedMemory = new MemoryBudget(Long.MAX_VALUE, new SimpleMeterRegistry());
    private final PersistentSessions followed = followed();
    private final List<String> lost = new ArrayList<>();
    private final SessionReplica replica =
            new SessionReplica(clientLog, BUCKETS, new BucketLoops(List.of(loop)), followed, followedTrie, lost::add);

    private PersistentSessions followed() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        return new PersistentSessions(
                BUCKET_OF,
                new BucketLoops(List.of(loop)),
                "node-2-a",
                followedTrie,
                clientLog,
                store,
                new ApplicationSessions(
                        new InMemoryApplicationLogs(), new InMemoryChangeLog<>(), RoutingLease.unlimited(), registry),
                followedMemory,
                1_000,
                new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), loop::nanoTime),
                new ClientEvents(),
                registry);
    }

    private void follow() {
        replica.follow();
        loop.runTasks();
    }

    private void hold() {
        CompletionStage<Void> read = replica.readToEnd(BUCKET_OF.all());
        loop.runTasks();
        assertThat(read.toCompletableFuture()).isCompleted();
        CompletionStage<Void> held = replica.hold(BUCKET_OF.all());
        loop.runTasks();
        assertThat(held.toCompletableFuture()).isCompleted();
    }

    private void release() {
        run(replica.beginRelease(BUCKET_OF.all()));
        assertThat(followed.held().isQuiet(BUCKET_OF.of(PUMP))).isTrue();
        run(replica.endRelease(BUCKET_OF.all()));
    }

    private void run(CompletionStage<Void> stage) {
        loop.runTasks();
        assertThat(stage.toCompletableFuture()).isCompleted();
    }

    private PersistentSession known(ClientId clientId) {
        return requireNonNull(followed.find(clientId), () -> "the followed session of " + clientId);
    }

    private void writeRoute(ClientId clientId, String filter, long generation) {
        Route route = new Route(clientId, filter, generation, QoS.AT_LEAST_ONCE, false, false, 0);
        answer(clientLog.commit(BUCKET_OF.of(clientId), List.of(new ClientChange.OfRoute(route.key(), route))));
    }

    @Test
    void sessionsAndSubscriptionsAreFollowed() {
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "a/+");
        loop.runTasks();

        assertThat(known(PUMP).record()).isEqualTo(session.record());
        assertThat(known(PUMP).subscriptions()).containsOnlyKeys("a/+");
        assertThat(followedTrie.size()).isOne();
        assertThat(followedMemory.chargedBytes()).isEqualTo(memory.chargedBytes());

        sessions.disconnected(session, 20, null);
        answer(sessions.routes().commit(session, Collections.singletonMap("a/+", null)));
        loop.runTasks();

        assertThat(known(PUMP).record()).isEqualTo(session.record());
        assertThat(known(PUMP).record().isAway()).isTrue();
        assertThat(known(PUMP).subscriptions()).isEmpty();
        assertThat(followedTrie.size()).isZero();
    }

    @Test
    void anEndingSessionLeavesItsGroupsAndKeepsItsSharedSubscriptions() {
        TopicFilter shared = TopicFilter.parse("$share/g/a", 8);
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "$share/g/a");
        sessions.disconnected(session, 10, null);
        loop.runTasks();
        assertThat(followedTrie.group(shared)).isNotNull();

        assertThat(sessions.acquire(session)).isTrue();
        answer(sessions.beginEnd(session, 50));
        loop.runTasks();

        assertThat(trie.group(shared)).isNull();
        assertThat(followedTrie.group(shared)).isNull();
        assertThat(known(PUMP).isQueuedMember()).isTrue();
        assertThat(known(PUMP).record().isOverAt(NOW)).isTrue();
    }

    @Test
    void anEndingSessionIsInNoGroupAfterCompaction() {
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "$share/g/a");
        sessions.disconnected(session, 0, null);
        clientLog.compact();

        follow();

        assertThat(known(PUMP).subscriptions()).containsOnlyKeys("$share/g/a");
        assertThat(followedTrie.size()).isZero();
    }

    @Test
    void nodesWithTheSameSessionsAndSubscriptionsHaveEqualChecksums() {
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "a/+");
        loop.runTasks();
        SessionChecksums connected = SessionChecksums.of(sessions.all());
        assertThat(SessionChecksums.of(followed.all())).isEqualTo(connected);

        sessions.disconnected(session, 10, null);
        answer(sessions.routes().commit(session, Collections.singletonMap("a/+", null)));
        SessionChecksums away = SessionChecksums.of(sessions.all());
        assertThat(away.sessions()).isNotEqualTo(connected.sessions());
        loop.runTasks();

        assertThat(SessionChecksums.of(followed.all()).sessions()).isEqualTo(away.sessions());
        assertThat(SessionChecksums.of(followed.all()).subscriptions())
                .isNotEqualTo(connected.subscriptions())
                .isZero();
    }

    @Test
    void aSubscriptionThatPrecedesItsSessionIsMatchedWhenTheSessionArrives() {
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "a");
        sessions.disconnected(session, 10, null);
        clientLog.compact();
        assertThat(clientLog.changes().getFirst()).isInstanceOf(ClientChange.OfRoute.class);

        follow();

        assertThat(known(PUMP).subscriptions()).containsOnlyKeys("a");
        hold();
        assertThat(routes()).as("nothing is removed").containsOnlyKeys("pump-1 a");
        assertThat(lost).isEmpty();
    }

    @Test
    void aSubscriptionIsMatchedWithALaterRecordThanTheLogHadAtTheStart() {
        // Compaction has removed the earlier records of the session meanwhile.
        writeRoute(PUMP, "a", 42);
        follow();
        assertThat(followed.find(PUMP)).isNull();

        SessionRecord record = new SessionRecord(42, ClientType.DEVICE, null, 10, "", 50, NOW);
        answer(clientLog.commit(BUCKET_OF.of(PUMP), List.of(new ClientChange.OfSession(PUMP, record))));
        loop.runTasks();

        assertThat(known(PUMP).subscriptions()).containsOnlyKeys("a");
        assertThat(lost).isEmpty();
    }

    @Test
    void aSessionOfAnotherGenerationEndsTheFormerOneWithoutWriting() {
        follow();
        subscribe(begun(PUMP, 10, 42), "a");
        loop.runTasks();
        PersistentSession former = known(PUMP);
        int written = clientLog.changes().size();

        SessionRecord next = new SessionRecord(77, ClientType.DEVICE, null, 10, "node-1-a", 77, 0);
        answer(clientLog.commit(BUCKET_OF.of(PUMP), List.of(new ClientChange.OfSession(PUMP, next))));
        loop.runTasks();

        assertThat(known(PUMP)).isNotSameAs(former);
        assertThat(known(PUMP).record()).isEqualTo(next);
        assertThat(known(PUMP).subscriptions()).isEmpty();
        assertThat(followedTrie.size()).isZero();
        assertThat(followedMemory.chargedBytes()).isEqualTo(PersistentSession.heldBytes(PUMP, null));
        assertThat(clientLog.changes()).hasSize(written + 1);
    }

    @Test
    void onlyTheNodeThatTakesTheBucketRemovesStaleRoutes() {
        follow();
        subscribe(begun(PUMP, 10, 42), "a");
        // The node dies before it removes the route.
        answer(clientLog.commit(BUCKET_OF.of(PUMP), List.of(new ClientChange.OfSession(PUMP, null))));
        writeRoute(new ClientId("unknown"), "b", 7);
        loop.runTasks();

        assertThat(followed.all()).isEmpty();
        assertThat(followedMemory.chargedBytes()).isZero();
        assertThat(routes()).containsOnlyKeys("pump-1 a", "unknown b");
        hold();
        assertThat(routes()).isEmpty();
    }

    @Test
    void aRouteThatItsNodeHasRemovedIsNotStaleAnyMore() {
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        subscribe(session, "a");
        answer(sessions.end(session));
        loop.runTasks();
        int written = clientLog.changes().size();

        hold();

        assertThat(clientLog.changes()).hasSize(written);
    }

    @Test
    void aHeldBucketIgnoresItsEcho() {
        follow();
        begun(PUMP, 10, 42);
        hold();
        followed.holding().serve(BUCKET_OF.all(), _ -> false);
        loop.runTasks();
        SessionRecord disconnected = known(PUMP).record();
        assertThat(disconnected.isAway())
                .as("disconnected by the node that holds it")
                .isTrue();

        // An earlier state of this node's memory.
        answer(clientLog.commit(BUCKET_OF.of(PUMP), List.of(new ClientChange.OfSession(PUMP, null))));
        loop.runTasks();

        assertThat(known(PUMP).record()).isEqualTo(disconnected);
    }

    @Test
    void aReleasedBucketIgnoresItsOwnChangesAndAppliesThoseOfTheNextHolder() {
        follow();
        begun(PUMP, 10, 42);
        hold();
        followed.holding().serve(BUCKET_OF.all(), _ -> true);
        loop.runTasks();
        assertThat(known(PUMP).isAcquired()).as("its connection lives").isTrue();
        loop.run(() -> followed.disconnected(known(PUMP), 20, null));
        loop.run(() -> followed.acquire(known(PUMP)));
        loop.run(() -> followed.connected(known(PUMP), 30, null, "node-2-a", 60, null));
        SessionRecord own = known(PUMP).record();

        release();

        assertThat(known(PUMP).record()).isEqualTo(own);
        assertThat(known(PUMP).isAcquired()).isFalse();
        SessionRecord next = new SessionRecord(42, ClientType.DEVICE, null, 40, "node-3-a", 70, 0);
        answer(clientLog.commit(BUCKET_OF.of(PUMP), List.of(new ClientChange.OfSession(PUMP, next))));
        writeRoute(PUMP, "next", 42);
        writeRoute(PUMP, "unmatched", 99);
        loop.runTasks();
        assertThat(known(PUMP).record()).isEqualTo(next);
        assertThat(known(PUMP).subscriptions()).containsOnlyKeys("next");

        hold();

        assertThat(routes()).as("the unmatched route is removed").containsOnlyKeys("pump-1 next");
        assertThat(lost).isEmpty();
    }

    @Test
    void recordsThatWereReadWhileTheBucketWasHeldAreIgnoredAfterTheRelease() {
        follow();
        begun(PUMP, 10, 42);
        hold();
        // The thread of the log is slow: it passes on what it has read after the release.
        int bucket = BUCKET_OF.of(PUMP);
        long offset = clientLog.changes().size();
        answer(clientLog.commit(bucket, List.of(new ClientChange.OfSession(PUMP, null))));
        release();

        replica.onRecord(bucket, offset, new ClientChange.OfSession(PUMP, null));
        replica.onReached(bucket, offset + 1);
        loop.runTasks();

        assertThat(followed.find(PUMP)).isNotNull();
    }

    @Test
    void aReleasedBucketHasNoDeadlines() {
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        sessions.disconnected(session, 0, null);
        hold();
        followed.holding().serve(BUCKET_OF.all(), _ -> true);
        long charged = followedMemory.chargedBytes();
        release();
        List<PersistentSession> expired = new ArrayList<>();
        followed.endExpired(10, expired::add);
        loop.runTasks();

        assertThat(expired).isEmpty();
        assertThat(followedMemory.chargedBytes()).isEqualTo(charged);
    }

    @Test
    void aBucketWithACommitInDoubtIsNotQuiet() {
        follow();
        begun(PUMP, 10, 42);
        hold();
        followed.holding().serve(BUCKET_OF.all(), _ -> true);
        loop.runTasks();
        int bucket = BUCKET_OF.of(PUMP);
        sessionLog.hold();
        loop.run(() -> followed.disconnected(known(PUMP), 20, null));
        run(replica.beginRelease(BUCKET_OF.all()));
        assertThat(followed.held().isQuiet(bucket)).isFalse();

        sessionLog.release();
        assertThat(followed.held().isQuiet(bucket)).isTrue();
    }

    @Test
    void deadlinesBeginWhenTheSessionsAreServed() {
        follow();
        PersistentSession session = begun(PUMP, 10, 42);
        sessions.disconnected(session, 0, null);
        loop.runTasks();
        List<PersistentSession> expired = new ArrayList<>();
        followed.endExpired(10, expired::add);
        loop.runTasks();
        assertThat(expired).isEmpty();

        hold();
        followed.holding().serve(BUCKET_OF.all(), _ -> false);
        followed.endExpired(10, expired::add);
        loop.runTasks();

        assertThat(expired).containsExactly(known(PUMP));
    }

    @Test
    void theEpochsOfTheLogAreSeen() {
        follow();
        answer(clientLog.commit(0, List.of(new ClientChange.OfEpoch(Long.MAX_VALUE - 10))));
        loop.runTasks();

        assertThat(followed.epochs().next()).isGreaterThan(Long.MAX_VALUE - 10);
    }

    @Test
    void theReplicaIsLostWhenASessionFollowsItsDroppedSubscriptions() {
        follow();
        ClientId last = PUMP;
        for (int i = 0; lost.isEmpty() && i < 100_000; i++) {
            last = new ClientId("client-" + i);
            writeRoute(last, "x".repeat(1_000), 5);
            loop.runTasks();
            if (i % 2_000 == 1_999) {
                SessionRecord late = new SessionRecord(5, ClientType.DEVICE, null, 10, "", 6, NOW);
                answer(clientLog.commit(BUCKET_OF.of(last), List.of(new ClientChange.OfSession(last, late))));
                loop.runTasks();
            }
        }

        assertThat(lost).hasSize(1);
        assertThat(lost.getFirst()).contains("bucket " + BUCKET_OF.of(last));
        assertThat(replica.readToEnd(BUCKET_OF.all()).toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void manyRecordsAreAppliedInShortTasksWhileTheLogWaits() {
        for (int i = 0; i < 20_000; i++) {
            SessionRecord record = new SessionRecord(i, ClientType.DEVICE, null, 10, "", i, NOW);
            ClientId clientId = new ClientId("client-" + i);
            answer(clientLog.commit(BUCKET_OF.of(clientId), List.of(new ClientChange.OfSession(clientId, record))));
        }

        replica.follow();
        assertThat(replica.hasRoom()).isFalse();
        loop.runNext(1);
        assertThat(followed.all().size()).as("after the first task").isBetween(1, 200);
        CompletableFuture<Void> read = replica.readToEnd(BUCKET_OF.all()).toCompletableFuture();
        while (!read.isDone()) {
            loop.runTasks();
            var _ = answer(clientLog.ends());
        }

        assertThat(followed.all()).hasSize(20_000);
        assertThat(replica.hasRoom()).isTrue();
    }
}

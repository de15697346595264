package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.testkit.InMemoryDeviceQueues.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Nodes that all serve take and release buckets while clients are connected. */
class BucketHandOverTest {
    private static final int CLIENTS = HoldingCluster.CLIENTS;

    private final HoldingCluster cluster = new HoldingCluster();

    private List<Released> released() {
        return cluster.nodeLog.records().stream()
                .filter(Released.class::isInstance)
                .map(Released.class::cast)
                .toList();
    }

    @Test
    void theFirstNodeHoldsAllBuckets() {
        HoldingNode a = cluster.start();

        assertThat(cluster.isDivided()).isTrue();
        assertThat(a.held()).hasSize(HoldingCluster.BUCKETS);
    }

    @Test
    void aNodeThatJoinsGetsItsShareAndNoConnectionIsLost() {
        HoldingNode a = cluster.start();
        List<TestClient> clients = a.connectAll();

        HoldingNode b = cluster.start();

        assertThat(cluster.isDivided()).isTrue();
        assertThat(b.held()).hasSize(HoldingCluster.BUCKETS / 2);
        HoldingCluster.assertSameState(a, b);
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(clients.get(i).connection().isOpen()).isTrue();
            assertThat(a.session(HoldingCluster.client(i)).record().isAway()).isFalse();
            HoldingNode holder = Objects.requireNonNull(cluster.holder(HoldingCluster.client(i)));
            assertThat(holder.session(HoldingCluster.client(i)).isAcquired())
                    .as("held by its connection")
                    .isTrue();
            clients.get(i).subscribe(QoS.AT_LEAST_ONCE, "more/" + i);
        }
        HoldingCluster.assertSameState(a, b);
    }

    @Test
    void eachHandOverBetweenLivingNodesIsTimed() {
        HoldingNode a = cluster.start();
        HoldingNode b = cluster.start();
        assertThat(cluster.isDivided()).isTrue();

        assertThat(handOvers(a, "take")).as("from no node").isZero();
        assertThat(handOvers(a, "release")).isEqualTo(HoldingCluster.BUCKETS / 2);
        assertThat(handOvers(b, "take")).isEqualTo(HoldingCluster.BUCKETS / 2);
    }

    private static long handOvers(HoldingNode node, String step) {
        return node.metrics
                .get("heddle.cluster.handover")
                .tag("step", step)
                .timer()
                .count();
    }

    @Test
    void clientsConnectAndLeaveAtAnyNode() {
        HoldingNode a = cluster.start();
        HoldingNode b = cluster.start();
        HoldingNode c = cluster.start();
        assertThat(cluster.isDivided()).isTrue();
        List<TestClient> first = a.connectAll();
        List<TestClient> second = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            second.add(b.connect(HoldingCluster.persistent(i)));
            assertThat(second.get(i).connAck().sessionPresent()).isTrue();
            assertThat(first.get(i).disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        }
        second.forEach(TestClient::lose);

        HoldingCluster.assertSameState(a, b, c);
        assertThat(c.session(HoldingCluster.client(0)).record().isAway()).isTrue();
        cluster.advance(Duration.ofSeconds(101));
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(a.find(HoldingCluster.client(i))).isNull();
            assertThat(b.find(HoldingCluster.client(i))).isNull();
            assertThat(c.find(HoldingCluster.client(i))).isNull();
        }
        assertThat(a.metrics.get("heddle.sessions.expired").counter().count()
                        + b.metrics.get("heddle.sessions.expired").counter().count()
                        + c.metrics.get("heddle.sessions.expired").counter().count())
                .as("each session expires once")
                .isEqualTo(CLIENTS);
    }

    @Test
    void bucketsAreTakenAgainAfterTheOtherNodeHasChangedThem() {
        HoldingNode a = cluster.start();
        List<TestClient> clients = a.connectAll();
        HoldingNode b = cluster.start();
        clients.forEach(TestClient::lose);
        for (int i = 0; i < CLIENTS; i++) {
            b.connect(HoldingCluster.persistent(i)).subscribe(QoS.AT_LEAST_ONCE, "again/" + i);
        }
        HoldingCluster.assertSameState(a, b);

        cluster.write(new NodeRecord.Draining(b.me()));
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        assertThat(a.held()).hasSize(HoldingCluster.BUCKETS);
        HoldingCluster.assertSameState(a, b);
        assertThat(a.session(HoldingCluster.client(0)).isAcquired()).isTrue();
        assertThat(a.session(HoldingCluster.client(0)).subscriptions()).containsOnlyKeys("t/0", "again/0");
    }

    @Test
    void requestsToANodeThatDoesNotHoldTheBucketAreAnsweredWithMoved() {
        HoldingNode a = cluster.start();
        HoldingNode b = cluster.start();
        for (int i = 0; i < CLIENTS; i++) {
            HoldingNode other = a.equals(cluster.holder(HoldingCluster.client(i))) ? b : a;

            CompletionStage<LeaveOutcome> left =
                    other.core.registrar().leave(Departure.ofTransient(HoldingCluster.client(i), 5));
            cluster.run();

            assertThat(left.toCompletableFuture()).isCompletedWithValue(LeaveOutcome.MOVED);
        }
    }

    @Test
    void aRequestThatWaitsForADepartureMovesWithItsBucket() {
        HoldingNode a = cluster.start();
        List<TestClient> clients = a.connectAll();
        // The departures of the first connections wait for their commits at the node that releases the buckets.
        cluster.clientLog.sessions.hold();
        List<TestClient> again = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            again.add(a.connect(HoldingCluster.persistent(i)));
        }
        HoldingNode b = cluster.start();
        cluster.clientLog.sessions.release();
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b);
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(again.get(i).connAck().sessionPresent()).isTrue();
            assertThat(clients.get(i).connection().isOpen()).isFalse();
        }
    }

    @Test
    void aBucketIsNotReleasedWhileACommitIsInDoubt() {
        HoldingNode a = cluster.start();
        a.connectAll();
        cluster.clientLog.sessions.hold();
        for (int i = 0; i < CLIENTS; i++) {
            a.connect(HoldingCluster.persistent(i));
        }

        HoldingNode b = cluster.start();
        cluster.advance(Duration.ofSeconds(60));

        for (int i = 0; i < CLIENTS; i++) {
            int bucket = a.core.persistentSessions().bucket(HoldingCluster.client(i));
            assertThat(released()).noneMatch(record -> record.buckets().contains(bucket));
            assertThat(b.held()).doesNotContain(bucket);
        }
        assertThat(b.held()).as("buckets without a commit").isNotEmpty();

        cluster.clientLog.sessions.release();
        cluster.run();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b);
    }

    /** Without the lost writes, a QoS 2 message could be taken or sent twice. */
    @Test
    void noSessionIsResumedFromQueuesThatRollBackWhileTheirBucketIsReleased() {
        HoldingNode a = cluster.start();
        TestClient publisher = a.connect(new Connect("publisher"));
        Snapshot empty = cluster.queues.snapshot();
        for (int i = 0; i < CLIENTS; i++) {
            TestClient client = a.connect(HoldingCluster.persistent(i));
            client.subscribe(QoS.AT_LEAST_ONCE, "more/" + i);
            client.lose();
            publisher.publish("more/" + i, "queued", QoS.AT_LEAST_ONCE, i + 1);
        }
        cluster.run();
        cluster.clientLog.sessions.hold();
        List<TestClient> again = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            again.add(a.connect(HoldingCluster.persistent(i)));
        }
        HoldingNode b = cluster.start();
        cluster.queues.rollBack(empty);
        cluster.clientLog.sessions.release();
        cluster.run();
        cluster.advance(Duration.ofSeconds(1));

        int moved = 0;
        for (int i = 0; i < CLIENTS; i++) {
            if (b.held().contains(a.core.persistentSessions().bucket(HoldingCluster.client(i)))) {
                assertThat(again.get(i).connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
                moved++;
            }
        }
        assertThat(moved).isPositive();
    }

    @Test
    void aFailedCommitIsRepeatedBeforeItsBucketIsReleased() {
        HoldingNode a = cluster.start();
        List<TestClient> clients = a.connectAll();
        a.isHoldingPaused = true;
        cluster.clientLog.sessions.failWith(new StoreUnavailableException("too many commits are queued", null));
        clients.forEach(TestClient::lose);
        cluster.join();
        HoldingNode b = cluster.join();
        cluster.write(new NodeRecord.Serving(b.me()));
        a.isHoldingPaused = false;
        cluster.run();
        for (Released record : released()) {
            for (int i = 0; i < CLIENTS; i++) {
                assertThat(record.buckets())
                        .doesNotContain(a.core.persistentSessions().bucket(HoldingCluster.client(i)));
            }
        }

        cluster.clientLog.sessions.failWith(null);
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b);
        assertThat(b.session(HoldingCluster.client(0)).record().isAway()).isTrue();
    }

    @Test
    void onlyTheLastOwnerTakesABucketWhenTheOwnerChangesDuringTheRelease() {
        HoldingNode a = cluster.start();
        a.connectAll();
        a.isHoldingPaused = true;
        HoldingNode b = cluster.start();
        HoldingNode c = cluster.start();
        assertThat(b.held()).isEmpty();

        a.isHoldingPaused = false;
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b, c);
    }

    @Test
    void aNodeThatBecomesTheOwnerAgainDuringTheReleaseTakesTheBucketAgain() {
        HoldingNode a = cluster.start();
        List<TestClient> clients = a.connectAll();
        cluster.clientLog.routes.hold();
        for (int i = 0; i < CLIENTS; i++) {
            clients.get(i).subscribe(QoS.AT_LEAST_ONCE, "late/" + i);
        }
        HoldingNode b = cluster.start();
        assertThat(b.held()).isNotEmpty();
        cluster.kill(b);

        cluster.clientLog.routes.release();
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        assertThat(a.held()).hasSize(HoldingCluster.BUCKETS);
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(clients.get(i).connection().sent(SubAckPacket.class)).hasSize(2);
            assertThat(a.session(HoldingCluster.client(i)).isAcquired()).isTrue();
        }
    }

    @Test
    void aStepThatKafkaDoesNotAnswerIsRepeated() {
        HoldingNode a = cluster.start();
        a.connectAll();
        a.nodeLog.failWith(new StoreUnavailableException("Kafka is away", null));
        HoldingNode b = cluster.start();
        assertThat(released()).isEmpty();
        assertThat(b.held()).isEmpty();

        a.nodeLog.failWith(null);
        cluster.advance(Duration.ofSeconds(1));

        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b);
    }

    @Test
    void drainingNodesKeepTheirBucketsWhenNoneServes() {
        HoldingNode a = cluster.start();
        HoldingNode b = cluster.start();
        cluster.write(new NodeRecord.Draining(a.me()));
        cluster.write(new NodeRecord.Draining(b.me()));
        cluster.run();

        assertThat(cluster.isDivided()).isTrue();
        assertThat(a.held()).isNotEmpty();
        assertThat(b.held()).isNotEmpty();
    }

    @Test
    void aDelayedWillIsPublishedOnceByTheHolderOfTheMoment() {
        HoldingNode a = cluster.start();
        for (int i = 0; i < CLIENTS; i++) {
            a.connect(HoldingCluster.persistent(i).will(50)).lose();
        }
        HoldingNode b = cluster.start();
        assertThat(cluster.isDivided()).isTrue();

        cluster.advance(Duration.ofSeconds(51));

        double published = a.metrics.get("heddle.wills.published").counter().count()
                + b.metrics.get("heddle.wills.published").counter().count();
        assertThat(published).isEqualTo(CLIENTS);
        cluster.kill(b);
        cluster.advance(Duration.ofSeconds(10));
        assertThat(a.metrics.get("heddle.wills.published").counter().count()
                        + b.metrics.get("heddle.wills.published").counter().count())
                .isEqualTo(CLIENTS);
    }
}

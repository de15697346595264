package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.TestClient;
import io.heddle.core.testkit.InMemoryProducerFencing.Producer;
import org.junit.jupiter.api.Test;

/** The holders of the buckets disconnect the sessions of nodes that have ended, also of nodes of a lost log. */
class EndedNodesTest {
    private static final int CLIENTS = HoldingCluster.CLIENTS;

    private final HoldingCluster cluster = new HoldingCluster();

    @Test
    void theSessionsOfADeadNodeAreDisconnectedByTheHolders() {
        HoldingNode a = cluster.start();
        HoldingNode b = cluster.start();
        HoldingNode c = cluster.start();
        c.connectAll();
        Producer producer = cluster.fencing.initialise(new TransactionalId(c.me(), 0));

        cluster.kill(c);

        assertThat(producer.commits()).as("a commit of the dead node").isFalse();
        assertThat(cluster.isDivided()).isTrue();
        HoldingCluster.assertSameState(a, b);
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(a.session(HoldingCluster.client(i)).record().isAway()).isTrue();
            assertThat(b.connect(HoldingCluster.persistent(i)).connAck().sessionPresent())
                    .isTrue();
        }
    }

    @Test
    void aNodeThatDoesNotHoldBucketsYetFencesTheLastHolder() {
        HoldingNode last = cluster.start();
        HoldingNode next = cluster.join();
        next.isHoldingPaused = true;
        Producer producer = cluster.fencing.initialise(new TransactionalId(last.me(), 0));
        cluster.kill(last);
        assertThat(producer.commits()).isTrue();

        next.holding.fenceEnded();
        cluster.run();
        next.holding.fenceEnded();

        assertThat(producer.commits()).isFalse();
        assertThat(next.held()).isEmpty();
        next.isHoldingPaused = false;
        cluster.write(new NodeRecord.Serving(next.me()));
        cluster.run();
        assertThat(cluster.isDivided()).isTrue();
    }

    @Test
    void theIdsOfANodeThatTheLogHasForgottenAreFenced() {
        Producer forgotten = cluster.fencing.initialise(new TransactionalId(new Incarnation(1_000, 3), 1));

        cluster.start();

        assertThat(forgotten.commits()).isFalse();
    }

    @Test
    void theSessionsOfNodesOfALostLogAreDisconnected() {
        cluster.start();
        cluster.start();
        HoldingNode last = cluster.start();
        last.connectAll();
        cluster.loseNodes();

        HoldingNode first = cluster.start();

        assertThat(first.membership.view().next()).isLessThan(last.me().offset());
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(first.session(HoldingCluster.client(i)).record().isAway())
                    .isTrue();
            TestClient back = first.connect(HoldingCluster.persistent(i));
            assertThat(back.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
            assertThat(back.connAck().sessionPresent()).isTrue();
        }
        HoldingNode second = cluster.start();
        assertThat(cluster.isDivided()).isTrue();
        assertThat(second.session(HoldingCluster.client(0)).record().isAway()).isFalse();
    }

    @Test
    void aNodeOfALostLogHasEndedAlsoIfTheNewLogHasGrownPastItSinceTheFence() {
        cluster.start();
        cluster.start();
        HoldingNode last = cluster.start();
        last.connectAll();
        cluster.loseNodes();
        HoldingNode first = cluster.join();
        while (first.membership.view().next() <= last.me().offset()) {
            cluster.join();
        }

        cluster.write(new NodeRecord.Serving(first.me()));
        cluster.run();

        assertThat(first.held()).hasSize(HoldingCluster.BUCKETS);
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(first.connect(HoldingCluster.persistent(i)).connAck().sessionPresent())
                    .isTrue();
        }
    }
}

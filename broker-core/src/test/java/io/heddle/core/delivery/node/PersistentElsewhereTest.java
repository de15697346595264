package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestStores;
import io.heddle.core.session.persistent.TestReplica;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** QoS 0 for persistent sessions whose clients are connected to another node. Two nodes over the same stores; the second one follows. */
final class PersistentElsewhereTest {
    private static final int HERE = 1;

    private final TestStores stores = new TestStores();
    private final MessageCluster cluster = new MessageCluster(0);
    private TestReplica replica;
    private TestClient publisher;

    @BeforeEach
    void start() {
        cluster.add(stores);
        cluster.add(stores);
        cluster.node(HERE).applying(false);
        replica = new TestReplica(stores.clientLog, cluster.node(HERE).persistent, cluster.node(HERE).trie);
        publisher = cluster.connect(HERE, "publisher");
    }

    private TestClient persistent(String clientId, String filter) {
        TestClient client =
                cluster.connect(0, new Connect(clientId).persistent(60)).subscribe(QoS.AT_LEAST_ONCE, filter);
        replica.follow();
        return client;
    }

    @Test
    void theNodeOfTheSessionRecordGetsTheMessage() {
        TestClient pump = persistent("pump", "t");
        publisher.publish("t", "m1");
        assertThat(pump.payloads()).containsExactly("m1");
        assertThat(cluster.node(HERE).count("heddle.forwards.sent")).isOne();

        pump.lose();
        replica.follow();
        publisher.publish("t", "m2");
        assertThat(cluster.node(HERE).count("heddle.forwards.sent")).isOne();
        assertThat(cluster.dropped(HERE, "disconnected")).isOne();

        TestClient again = cluster.connect(0, new Connect("pump").persistent(60));
        replica.follow();
        publisher.publish("t", "m3");
        assertThat(again.payloads()).containsExactly("m3");
    }

    @Test
    void aCopyForAClientThatItsNodeHasJustLostIsCountedOnce() {
        TestClient pump = persistent("pump", "t");
        persistent("valve", "t");
        TestClient away = persistent("away", "t");
        away.lose();
        replica.follow();
        pump.lose();
        publisher.publish("t", "m");

        assertThat(cluster.dropped(HERE, "disconnected")).as("known to be away").isOne();
        assertThat(cluster.dropped(0, "disconnected")).as("just lost").isOne();
        assertThat(cluster.node(HERE).count("heddle.forwards.sent")).isOne();
    }

    @Test
    void messagesAboveQos0GoThroughTheLogOnly() {
        TestClient pump = persistent("pump", "t");
        TestClient other = cluster.connect(0, "other").subscribe(QoS.AT_LEAST_ONCE, "t");
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(other.payloads()).containsExactly("m");
        assertThat(pump.payloads()).as("one copy").containsExactly("m");
        assertThat(pump.messages().getFirst().qos()).isEqualTo(QoS.AT_LEAST_ONCE);
    }

    @Test
    void aClientWhoseNodeHasEndedIsAway() {
        persistent("pump", "t");
        cluster.kill(0);
        cluster.end(0);
        publisher.publish("t", "m");

        assertThat(cluster.dropped(HERE, "disconnected")).isOne();
        assertThat(cluster.node(HERE).count("heddle.forwards.sent")).isZero();
    }

    @Test
    void aConnectedMemberOfASharedSubscriptionGetsQos0Elsewhere() {
        TestClient pump = persistent("pump", "$share/g/t");
        TestClient away = persistent("valve", "$share/g/t");
        away.lose();
        replica.follow();
        for (int i = 0; i < 4; i++) {
            publisher.publish("t", "m" + i);
        }

        assertThat(pump.payloads()).containsExactly("m0", "m1", "m2", "m3");
        assertThat(cluster.dropped(HERE, "disconnected")).isZero();
    }
}

package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node that decides about a client dies, and another one takes its buckets. */
final class HolderDeathTest extends RemoteRegistrarFixture {
    @Conformance("MQTT-3.1.4-3")
    @Test
    void aTransientClientOfAnotherNodeIsTakenOverAfterTheDeathOfTheHolder() {
        TestClient first = cluster.connect(2, new Connect("c"));
        cluster.takeOver(1);

        TestClient second = cluster.connect(1, new Connect("c"));

        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Conformance("MQTT-3.1.4-3")
    @Test
    void theNextHolderWaitsUntilTheNodesHaveAnnouncedTheirClients() {
        TestClient first = cluster.connect(2, new Connect("c"));
        cluster.delayFrames();
        cluster.takeOver(1);

        TestClient second = cluster.connect(1, new Connect("c"));
        assertThat(second.connection().sent()).isEmpty();

        cluster.deliverFrames();
        assertThat(first.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void aClientWithASessionDoesNotWaitForAnnouncements() {
        cluster.connect(2, persistent()).lose();
        cluster.delayFrames();
        cluster.takeOver(1);

        assertThat(cluster.connect(1, persistent()).connAck().sessionPresent()).isTrue();
    }

    @Test
    void aNodeThatHasEndedIsNotAwaited() {
        cluster.delayFrames();
        cluster.takeOver(1);
        TestClient client = cluster.connect(1, new Connect("c"));

        cluster.node(1).registrar.onNodeEnded(incarnation(2));
        cluster.run();

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    /** Its link is cut. */
    @Test
    void aNodeThatAnnouncesNothingIsAwaitedForSomeTime() {
        cluster.delayFrames();
        cluster.takeOver(1);
        TestClient refused = cluster.connect(1, new Connect("c"));
        cluster.advance(Duration.ofSeconds(10));
        assertThat(refused.connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        TestClient granted = cluster.connect(1, new Connect("c"));

        cluster.advance(TestCluster.ANNOUNCEMENT_LIMIT.minusSeconds(10));

        assertThat(granted.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(cluster.node(1)
                        .metrics
                        .get("heddle.registrar.unannounced")
                        .counter()
                        .count())
                .as("buckets")
                .isEqualTo(TestStores.BUCKETS);
    }

    @Conformance("MQTT-3.1.4-3")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 40, 150, 400})
    void aHundredConnectionsLeaveOneSurvivorWhileTheHolderDies(int frames) {
        List<TestClient> clients = new ArrayList<>();
        cluster.delayFrames();
        for (int i = 0; i < 100; i++) {
            clients.add(cluster.begin(1 + i % 2, i % 3 == 0 ? new Connect("c") : persistent()));
            cluster.node(1 + i % 2).runAll();
        }
        for (int i = 0; i < frames; i++) {
            cluster.deliverOne();
            cluster.run();
        }
        cluster.takeOver(1);
        cluster.deliverFrames();

        List<TestClient> open =
                clients.stream().filter(each -> each.connection().isOpen()).toList();
        assertThat(open).hasSize(1);
        assertThat(open.getFirst().connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(cluster.node(1).sessions.connectedCount()
                        + cluster.node(2).sessions.connectedCount())
                .isOne();
    }

    /** The request of the earlier one would reach the next holder last. */
    @Test
    void aConnectThatItsClientHasGivenUpDoesNotTakeTheNextOneOver() {
        cluster.delayFrames();
        TestClient earlier = cluster.begin(2, persistent().cleanStart(true));
        cluster.run();
        earlier.connection().lose();
        cluster.takeOver(1);

        TestClient later = cluster.connect(1, persistent().cleanStart(true));
        cluster.deliverFrames();

        assertThat(later.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(later.connection().isOpen()).isTrue();
        assertThat(cluster.node(1).sessions.connectedCount()).isOne();
        assertThat(earlier.established()).isEmpty();
        assertThat(cluster.node(2).count("heddle.connects", "outcome", "gone")).isOne();
    }

    @Test
    void aConnectWithPacketsBehindItIsSentToTheNextHolderAlthoughItsClientIsGone() {
        cluster.delayFrames();
        TestClient client = cluster.begin(2, persistent());
        cluster.run();
        client.connection().loseWithPackets();

        cluster.takeOver(1);
        cluster.deliverFrames();

        assertThat(client.established()).hasSize(1);
    }

    /** Another node has routed messages to the session before it reads that the session ends. */
    @Test
    void theNextHolderTransfersTheQueueOfASessionThatHasBegunToEnd() {
        Connect other = new Connect("other").persistent(3_600);
        cluster.connect(1, other).subscribe(QoS.AT_LEAST_ONCE, "$share/g/t").lose();
        cluster.connect(OWNER, persistent()).subscribe(QoS.AT_LEAST_ONCE, "$share/g/t");
        TestClient publisher = withoutTheOthers(1, cluster.connect(1, new Connect("publisher")));
        cluster.stores.registry.hold();
        cluster.owner()
                .begin(cluster.owner().loop, persistent().cleanStart(true).packet());
        cluster.owner().runAll();
        cluster.stores.registry.holdNoMore();
        for (int i = 0; i < 4; i++) {
            publisher.publish("t", Integer.toString(i), QoS.AT_LEAST_ONCE, i + 1);
        }

        cluster.takeOver(1);
        cluster.advance(Duration.ofSeconds(1));

        assertThat(cluster.node(1).persistent.find(CLIENT)).isNull();
        assertThat(cluster.connect(1, other).payloads()).containsExactlyInAnyOrder("0", "1", "2", "3");
    }

    /** A client whose node reads nothing of the other nodes while the client sends a packet. */
    private TestClient withoutTheOthers(int index, TestClient client) {
        return new TestClient(
                client.connection(), client.exchanges(), client.established(), cluster.node(index)::runAll);
    }

    @Conformance({"MQTT-3.2.2-3", "MQTT-3.2.2-4"})
    @Test
    void aFirstConnectWhoseGrantDiesWithTheHolderFindsNoSession() {
        cluster.delayFrames();
        TestClient client = cluster.begin(2, persistent());
        beginSession();
        cluster.takeOver(1);
        cluster.deliverFrames();

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(client.connAck().sessionPresent()).isFalse();
        TestClient again = cluster.connect(1, persistent());
        assertThat(again.connAck().sessionPresent()).isTrue();
    }

    /** Delivers frames until the holder has begun the session of a client. */
    private void beginSession() {
        for (int i = 0; i < 100 && session() == null; i++) {
            cluster.deliverOne();
            cluster.run();
        }
        assertThat(session()).isNotNull();
    }

    @Test
    void aClientThatTakesItsFirstConnectElsewhereFindsNoSession() {
        cluster.delayFrames();
        TestClient first = cluster.begin(2, persistent());
        beginSession();
        first.connection().lose();
        cluster.takeOver(1);
        TestClient second = cluster.begin(1, persistent());
        cluster.deliverFrames();

        assertThat(second.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(second.connAck().sessionPresent()).isFalse();
    }

    @Test
    void aResumedSessionWhoseGrantDiesWithTheHolderIsKept() {
        TestClient before = cluster.connect(2, persistent()).subscribe(QoS.AT_LEAST_ONCE, "t");
        before.lose();
        cluster.run();
        cluster.delayFrames();
        TestClient client = cluster.begin(2, persistent());
        for (int i = 0; i < 100 && record().isAway(); i++) {
            cluster.deliverOne();
            cluster.run();
        }
        cluster.takeOver(1);
        cluster.deliverFrames();

        assertThat(client.connAck().sessionPresent()).isTrue();
    }
}

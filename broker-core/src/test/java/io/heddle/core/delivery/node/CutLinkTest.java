package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.TestClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two nodes live and write heartbeats, but frames between them do not arrive, in one direction or in both. */
final class CutLinkTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final MessageCluster cluster = new MessageCluster(3);

    private void cut(boolean there, boolean back) {
        if (there) {
            cluster.cut(0, 1);
        }
        if (back) {
            cluster.cut(1, 0);
        }
    }

    private void heal() {
        cluster.heal(0, 1);
        cluster.heal(1, 0);
    }

    private static List<ReasonCode> acknowledged(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void aClientThatSubscribesIsDisconnectedWhenThePatienceIsOver(boolean there, boolean back) {
        cut(there, back);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient elsewhere = cluster.connect(2, "e").subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(elsewhere.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        cluster.advance(MessageCluster.PATIENCE.minus(SECOND));
        assertThat(subscriber.connection().isOpen()).isTrue();

        cluster.advance(SECOND.plus(SECOND));
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(subscriber.disconnected()).containsExactly(ReasonCode.SERVER_BUSY);
        assertThat(cluster.node(0).count("heddle.interest.unanswered")).isOne();
        assertThat(cluster.node(0).gauge("heddle.interest.waiting")).isZero();
    }

    @Test
    void itSubscribesAgainWhenTheLinkIsBack() {
        cut(true, false);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(MessageCluster.PATIENCE.plus(SECOND));
        assertThat(subscriber.connection().isOpen()).isFalse();
        heal();
        TestClient again = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        assertThat(again.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        cluster.connect(1, "publisher").publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(again.payloads()).containsExactly("m");
    }

    @Test
    void aSlowMemberThatAcknowledgesSomethingIsWaitedFor() {
        cut(false, true);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(MessageCluster.PATIENCE.minus(SECOND));
        heal();
        assertThat(subscriber.subscribed()).hasSize(1);
        cut(false, true);
        TestClient second = cluster.connect(0, "s2").subscribe(QoS.AT_LEAST_ONCE, "u");
        cluster.advance(MessageCluster.PATIENCE.minus(SECOND));

        assertThat(second.connection().isOpen()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"true,false", "false,true", "true,true"})
    void publishersGoOnWhenThePatienceIsOver(boolean there, boolean back) {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient other = cluster.connect(2, "o").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cut(there, back);
        publisher.publish("t", "a", QoS.AT_LEAST_ONCE, 1);
        cluster.advance(MessageCluster.PATIENCE.minus(SECOND));
        assertThat(acknowledged(publisher)).isEmpty();
        cluster.advance(SECOND.plus(SECOND));
        assertThat(acknowledged(publisher)).hasSize(1);
        publisher.publish("t", "b", QoS.AT_LEAST_ONCE, 2);
        assertThat(acknowledged(publisher)).hasSize(2);
        assertThat(cluster.node(0).gauge("heddle.cluster.nodes.cut.off")).isOne();
        assertThat(other.payloads()).containsExactly("a", "b");

        heal();
        cluster.advance(SECOND);
        assertThat(cluster.node(0).gauge("heddle.cluster.nodes.cut.off")).isZero();
        publisher.publish("t", "c", QoS.AT_LEAST_ONCE, 3);
        assertThat(acknowledged(publisher)).hasSize(3);
        assertThat(subscriber.payloads()).containsExactly("a", "b", "c");
        assertThat(cluster.dropped(0, "node_unreachable")).isZero();
    }

    @Test
    void aNodeThatGivesReceiptsSlowlyIsNotCutOff() {
        cluster.connect(1, "s").subscribe(QoS.AT_MOST_ONCE, "u");
        cluster.connect(1, "s1").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        for (int i = 1; i <= 3; i++) {
            cut(false, true);
            publisher.publish("t", "m", QoS.AT_LEAST_ONCE, i);
            cluster.advance(MessageCluster.PATIENCE.minus(SECOND));
            heal();
            assertThat(acknowledged(publisher)).hasSize(i);
        }

        assertThat(cluster.dropped(0, "node_unreachable")).isZero();
    }
}

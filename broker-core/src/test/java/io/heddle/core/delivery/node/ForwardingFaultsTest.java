package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.link.NodeLinks;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes that are slow, do not answer or are dead must not lose acknowledged messages of others. */
final class ForwardingFaultsTest {
    private final MessageCluster cluster = new MessageCluster(3);

    private static List<ReasonCode> acknowledged(TestClient client) {
        return client.connection().sent(PubAckPacket.class).stream()
                .map(PubAckPacket::reason)
                .toList();
    }

    private static String payload(int number) {
        return number + "-" + "x".repeat(1_000);
    }

    @Test
    void aReceiptThatIsMissingWhenItsNodeEndsIsNotWaitedFor() {
        cluster.connect(1, "lost").subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient alive = cluster.connect(2, "alive").subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.kill(1);
        publisher.publish("t", "m1", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t", "m2", QoS.EXACTLY_ONCE, 2);
        assertThat(acknowledged(publisher)).isEmpty();
        assertThat(publisher.connection().sent(PubRecPacket.class)).isEmpty();

        cluster.end(1);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(publisher.connection().sent(PubRecPacket.class)).hasSize(1);
        assertThat(alive.payloads()).containsExactly("m1", "m2");
        assertThat(cluster.dropped(0, "node_unreachable")).isEqualTo(2);
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isZero();
    }

    @Test
    void aNodeThatHasEndedHasNoSubscribers() {
        cluster.connect(1, "lost").subscribe(QoS.EXACTLY_ONCE, "t");
        cluster.kill(1);
        cluster.end(1);
        TestClient publisher = cluster.connect(0, "publisher");
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(cluster.dropped(0, "node_unreachable")).isZero();
        assertThat(cluster.node(0).trie.nodeCount()).as("swept").isOne();
    }

    @Test
    void publishersWaitForANodeThatDoesNotAnswerAndItMissesNothing() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient alive = cluster.connect(2, "alive").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        publisher.publish("t", "m1", QoS.AT_LEAST_ONCE, 1);
        cluster.advance(Duration.ofMinutes(1));
        assertThat(acknowledged(publisher)).isEmpty();
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isOne();
        assertThat(alive.payloads()).containsExactly("m1");

        cluster.heal(0, 1);
        assertThat(acknowledged(publisher)).containsExactly(ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).containsExactly("m1");
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isZero();
    }

    @Test
    void subAckWaitsForEachNodeUntilItAnswersOrHasEnded() {
        cluster.cut(0, 1);
        cluster.cut(2, 0);
        TestClient subscriber = cluster.connect(0, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        cluster.advance(Duration.ofMinutes(1));
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(cluster.node(0).gauge("heddle.interest.waiting")).isOne();

        cluster.heal(2, 0);
        assertThat(subscriber.connection().sent(SubAckPacket.class)).isEmpty();
        cluster.kill(1);
        cluster.end(1);
        assertThat(subscriber.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
        assertThat(cluster.node(0).gauge("heddle.interest.waiting")).isZero();
    }

    @Test
    void atTheBoundOfALinkQos0IsDroppedAndCounted() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = cluster.connect(0, "publisher");
        cluster.cut(0, 1);
        for (int i = 0; i < 30; i++) {
            publisher.publish("t", payload(i));
        }
        cluster.heal(0, 1);

        int arrived = subscriber.messages().size();
        assertThat(arrived).isBetween(MessageCluster.LINK_BYTES / 1_200, MessageCluster.LINK_BYTES / 1_000);
        assertThat(cluster.dropped(0, "node_overloaded")).isEqualTo(30 - arrived);
    }

    @Test
    void atTheBoundOfALinkQos1WaitsAndIsNotRefused() {
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        List<TestClient> publishers = IntStream.range(0, 3)
                .mapToObj(i -> cluster.connect(0, new Connect("p" + i).version(MqttVersion.V3_1_1)))
                .toList();
        cluster.cut(0, 1);
        for (int i = 1; i <= 10; i++) {
            for (TestClient publisher : publishers) {
                publisher.publish("t", payload(i), QoS.AT_LEAST_ONCE, i);
            }
        }
        assertThat(publishers).allSatisfy(each -> {
            assertThat(acknowledged(each)).isEmpty();
            assertThat(each.connection().isOpen()).isTrue();
        });
        assertThat(cluster.node(0).gauge("heddle.forwards.waiting.bytes")).isPositive();

        cluster.heal(0, 1);
        for (int i = 0; i < 30; i++) {
            subscriber.messages().forEach(each -> subscriber.unsettled().pubAck(each.packetId()));
            cluster.advance(Duration.ofMillis(10));
        }
        assertThat(publishers).allSatisfy(each -> assertThat(acknowledged(each)).hasSize(10));
        assertThat(cluster.node(0).gauge("heddle.forwards.waiting.bytes")).isZero();
        assertThat(cluster.dropped(0, "node_overloaded")).isZero();
        assertThat(cluster.dropped(0, "publish_refused_overloaded")).isZero();
        assertThat(cluster.node(1).count("heddle.forwards.received")).isEqualTo(30);
    }

    @Test
    void waitingMessagesFreeTheirMemoryWhenTheirNodeEnds() {
        cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "u");
        cluster.cut(0, 1);
        TestClient publisher = cluster.connect(0, "publisher");
        for (int i = 1; i <= 50; i++) {
            publisher.publish("u", payload(i), QoS.AT_LEAST_ONCE, i);
        }
        long full = cluster.node(0).memory.chargedBytes();
        assertThat(cluster.node(0).gauge("heddle.forwards.waiting.bytes")).isGreaterThan(20_000);
        cluster.kill(1);
        cluster.end(1);

        assertThat(cluster.node(0).memory.chargedBytes()).isLessThan(full - 20_000);
        assertThat(cluster.node(0).gauge("heddle.forwards.waiting.bytes")).isZero();
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isZero();
        assertThat(cluster.dropped(0, "node_unreachable")).isEqualTo(50);
        assertThat(acknowledged(publisher)).hasSize(50);
    }

    @Test
    void publishersAreRefusedOnlyWhenTheMemoryIsUsedUp() {
        cluster.connect(1, "s").subscribe(QoS.AT_LEAST_ONCE, "t");
        List<TestClient> publishers =
                IntStream.range(0, 5).mapToObj(i -> cluster.connect(0, "p" + i)).toList();
        cluster.cut(0, 1);
        cluster.node(0).memory.charge(992_000 - cluster.node(0).memory.chargedBytes());
        int refused = 0;
        for (int i = 0; i < publishers.size() && refused == 0; i++) {
            TestClient publisher = publishers.get(i);
            for (int j = 1; j <= 8; j++) {
                publisher.publish("t", payload(j), QoS.AT_LEAST_ONCE, j);
            }
            refused = (int) cluster.dropped(0, "publish_refused_memory_limit");
        }

        assertThat(refused).isPositive();
        assertThat(cluster.node(0).memory.chargedBytes()).isLessThan(1_020_000);
    }

    @Test
    void malformedFramesAreCountedAndDropped() {
        NodeLinks links = cluster.links.node(cluster.incarnation(0));
        for (int kind : new int[] {0x30, 0x31, 0x40, 0x41}) {
            assertThat(links.send(cluster.incarnation(1), NodeLinks.CONTROL, kind, new byte[] {1}))
                    .isTrue();
            assertThat(links.send(cluster.incarnation(1), NodeLinks.CONTROL, kind, new byte[] {9, 9, 9, 9, 9}))
                    .isTrue();
        }
        cluster.run();

        double malformed = 0;
        for (String of : List.of("messages", "receipts", "interest")) {
            malformed += cluster.node(1).count("heddle.cluster.frames.malformed", "of", of);
        }
        assertThat(malformed).isEqualTo(8);
        TestClient subscriber = cluster.connect(1, "s").subscribe(QoS.AT_MOST_ONCE, "t");
        cluster.connect(0, "publisher").publish("t", "m");
        assertThat(subscriber.payloads()).containsExactly("m");
    }
}

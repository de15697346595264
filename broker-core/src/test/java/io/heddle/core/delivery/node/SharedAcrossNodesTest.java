package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.session.Connect;
import io.heddle.core.session.TestClient;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Shared subscriptions whose members are connected to several nodes. */
final class SharedAcrossNodesTest {
    private static final String SHARED = "$share/g/t/+";

    private final MessageCluster cluster = new MessageCluster(3);
    private final List<TestClient> members = new ArrayList<>();

    private TestClient member(int node) {
        return member(node, QoS.AT_LEAST_ONCE);
    }

    private TestClient member(int node, QoS qos) {
        TestClient member = cluster.connect(node, "m" + members.size()).subscribe(qos, SHARED);
        members.add(member);
        return member;
    }

    private void settle() {
        cluster.advance(Duration.ofMillis(200));
    }

    private int received() {
        return members.stream().mapToInt(each -> each.messages().size()).sum();
    }

    @Conformance("MQTT-4.8.2-4")
    @Test
    void eachMemberGetsAnEqualShareWhereverItIs() {
        member(0);
        member(1);
        member(1);
        member(2);
        member(2);
        member(2);
        settle();
        for (int publisher = 0; publisher < 3; publisher++) {
            TestClient client = cluster.connect(publisher, "p" + publisher);
            for (int i = 0; i < 60; i++) {
                client.publish("t/" + i, "m");
            }
        }

        assertThat(received()).isEqualTo(180);
        assertThat(members).allSatisfy(each -> assertThat(each.messages()).hasSizeBetween(27, 33));
    }

    @Test
    void theFirstMemberIsKnownAtOnceAndFurtherOnesSoon() {
        member(1);
        member(1);
        assertThat(cluster.node(0).count("heddle.interest.batches")).isPositive();
        TestClient publisher = cluster.connect(0, "p");
        publisher.publish("t/1", "m1", QoS.AT_LEAST_ONCE, 1);
        publisher.publish("t/1", "m2", QoS.AT_LEAST_ONCE, 2);

        assertThat(members).allSatisfy(each -> assertThat(each.messages()).hasSize(1));
        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(2);
    }

    @Test
    void aMemberThatLeavesIsReplaced() {
        member(0);
        TestClient gone = member(1);
        settle();
        cluster.cut(1, 0);
        gone.disconnect();
        settle();
        TestClient publisher = cluster.connect(0, "p");
        for (int i = 1; i <= 4; i++) {
            publisher.publish("t/1", "m" + i, QoS.AT_LEAST_ONCE, i);
        }
        cluster.heal(1, 0);
        settle();

        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(4);
        assertThat(members.getFirst().payloads()).containsExactlyInAnyOrder("m1", "m2", "m3", "m4");
    }

    @Test
    void aMessageWithoutAnyMemberIsDropped() {
        TestClient first = member(1);
        TestClient second = member(2);
        settle();
        cluster.cut(1, 0);
        cluster.cut(2, 0);
        first.disconnect();
        second.disconnect();
        settle();
        TestClient publisher = cluster.connect(0, "p");
        publisher.publish("t/1", "m", QoS.AT_LEAST_ONCE, 1);
        assertThat(publisher.connection().sent(PubAckPacket.class)).isEmpty();
        cluster.heal(1, 0);
        cluster.heal(2, 0);
        settle();

        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(1);
        assertThat(cluster.dropped(0, "no_group_member")).isOne();
    }

    @Test
    void atQos0AMessageForAMemberThatHasLeftIsDroppedAndCounted() {
        TestClient gone = member(1);
        settle();
        cluster.cut(1, 0);
        gone.disconnect();
        cluster.connect(0, "p").publish("t/1", "m");

        assertThat(cluster.dropped(1, "no_group_member")).isOne();
    }

    @Test
    void theShareOfADeadNodeIsRedistributed() {
        member(0);
        member(1);
        settle();
        cluster.kill(1);
        cluster.end(1);
        TestClient publisher = cluster.connect(0, "p");
        for (int i = 1; i <= 4; i++) {
            publisher.publish("t/1", "m" + i, QoS.AT_LEAST_ONCE, i);
        }

        assertThat(members.getFirst().messages()).hasSize(4);
        assertThat(publisher.connection().sent(PubAckPacket.class)).hasSize(4);
    }

    /** Six messages, of which three are for a node that dies: it gets one, of the others one fills the link, and confirms none. */
    private double publishForADeadNode(QoS qos) {
        member(1, qos);
        member(2, qos);
        settle();
        List<TestClient> publishers = Stream.of("p", "q", "r", "s")
                .map(each -> cluster.connect(0, each))
                .toList();
        cluster.cut(1, 0);
        for (int i = 0; i < 6; i++) {
            if (i == 2) {
                cluster.kill(1);
            }
            publishers.get(i % 4).publish("t/1", "x".repeat(MessageCluster.LINK_BYTES * 3 / 5), qos, 1 + i / 4);
        }
        assertThat(cluster.node(1).count("heddle.forwards.received")).isOne();
        assertThat(cluster.node(0).gauge("heddle.forwards.waiting.bytes")).isPositive();
        cluster.end(1);
        settle();
        assertThat(cluster.node(0).gauge("heddle.forwards.receipts.missing")).isZero();
        assertThat(publishers.stream()
                        .flatMap(each -> each.connection().sent().stream())
                        .filter(each -> each instanceof PubAckPacket || each instanceof PubRecPacket))
                .hasSize(6);
        return cluster.node(2).count("heddle.forwards.received");
    }

    @Test
    void messagesThatADeadNodeHasNotConfirmedGoToAnotherMember() {
        assertThat(publishForADeadNode(QoS.AT_LEAST_ONCE)).isEqualTo(6);
        assertThat(cluster.dropped(0, "node_unreachable")).isZero();
    }

    /** A client of the dead node may have begun to receive the first one. */
    @Conformance("MQTT-4.8.2-5")
    @Test
    void atQos2OnlyMessagesThatWereNotSentToADeadNodeGoToAnotherMember() {
        assertThat(publishForADeadNode(QoS.EXACTLY_ONCE)).isEqualTo(5);
        assertThat(cluster.dropped(0, "node_unreachable")).isOne();
    }

    @Test
    void theMemoryOfConfirmedAndOfReturnedMessagesIsFree() {
        member(1, QoS.AT_LEAST_ONCE);
        settle();
        TestClient publisher = cluster.connect(0, "p");
        long before = cluster.node(0).memory.chargedBytes();
        publisher.publish("t/1", "x".repeat(1_000), QoS.AT_LEAST_ONCE, 1);
        cluster.cut(1, 0);
        publisher.publish("t/1", "x".repeat(1_000), QoS.AT_LEAST_ONCE, 2);
        assertThat(cluster.node(0).memory.chargedBytes()).isGreaterThan(before + 1_000);
        cluster.kill(1);
        cluster.end(1);
        settle();

        assertThat(cluster.node(0).memory.chargedBytes()).isEqualTo(before);
        assertThat(cluster.dropped(0, "no_group_member")).isOne();
    }

    @Test
    void anOrdinarySubscriptionOfTheSameNodeGetsItsOwnCopy() {
        TestClient both = member(1).subscribe(QoS.AT_MOST_ONCE, "t/#");
        settle();
        cluster.connect(0, "p").publish("t/1", "m");

        assertThat(both.payloads()).containsExactly("m", "m");
        assertThat(cluster.node(0).count("heddle.forwards.sent"))
                .as("one frame")
                .isOne();
    }

    @Test
    void aPersistentMemberIsPreferredOnlyInItsTurn() {
        TestClient persistent =
                cluster.connect(0, new Connect("d").persistent(60)).subscribe(QoS.AT_LEAST_ONCE, SHARED);
        member(1);
        settle();
        TestClient publisher = cluster.connect(0, "p");
        for (int i = 1; i <= 4; i++) {
            publisher.publish("t/1", "m" + i, QoS.AT_LEAST_ONCE, i);
        }

        assertThat(members.getFirst().messages()).hasSize(2);
        assertThat(persistent.messages()).hasSize(2);
        assertThat(persistent.subscribed()).containsExactly(ReasonCode.GRANTED_QOS_1);
    }
}

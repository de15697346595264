package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions that are members of a shared subscription. The window has 4 messages, the queue another 4. */
final class SharedDeliveryTest {
    private static final String FILTER = "$share/g/t";

    private final TestNode node = new TestNode();
    private final TestClient publisher = node.connect("publisher");

    private TestClient member(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet()).subscribe(QoS.EXACTLY_ONCE, FILTER);
    }

    private TestClient back(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    private void publish(QoS qos, int from, int to) {
        for (int i = from; i < to; i++) {
            publisher.publish("t", Integer.toString(i), qos, 1);
            publisher.pubRel(1);
        }
    }

    @Test
    void aMemberWithAFullWindowIsSkippedUntilItAcknowledges() {
        TestClient slow = member("slow");
        TestClient quick = member("quick");
        for (int i = 0; i < 20; i++) {
            publish(QoS.AT_LEAST_ONCE, i, i + 1);
            if (!quick.messages().isEmpty()) {
                quick.pubAck(quick.messages().getLast().packetId());
            }
        }

        assertThat(slow.payloads()).hasSize(4);
        assertThat(quick.payloads()).hasSize(16);
        assertThat(node.gauge("heddle.messages.queued")).isZero();
        slow.pubAck(slow.messages().getFirst().packetId());
        publish(QoS.AT_LEAST_ONCE, 20, 22);
        assertThat(slow.payloads()).hasSize(5);
    }

    @Test
    void aMemberWithAFullQueueIsSkippedInFavourOfOneWithRoom() {
        TestClient full = member("full");
        publish(QoS.AT_LEAST_ONCE, 0, 8);
        assertThat(full.payloads()).hasSize(4);
        double dropped = node.dropped("queue_full");

        TestClient other = node.connect(
                        new Connect("other").persistent(60).receiveMaximum(2).packet())
                .subscribe(QoS.AT_LEAST_ONCE, FILTER);
        publish(QoS.AT_LEAST_ONCE, 8, 12);

        assertThat(node.dropped("queue_full")).isEqualTo(dropped);
        other.pubAck(other.messages().get(0).packetId());
        other.pubAck(other.messages().get(1).packetId());
        assertThat(other.payloads()).containsExactly("8", "9", "10", "11");
    }

    @Test
    void aMemberThatDoesNotReadIsSkippedUntilItReadsAgain() {
        TestClient slow = member("slow");
        TestClient quick = member("quick");
        slow.connection().writable(false);
        publish(QoS.AT_MOST_ONCE, 0, 11);
        // The first message detects that the client does not read.
        assertThat(node.dropped("slow_consumer")).isOne();
        assertThat(quick.payloads()).hasSize(10);

        slow.connection().writable(true);
        slow.connected().onWritable();
        publish(QoS.AT_MOST_ONCE, 11, 21);

        assertThat(slow.payloads()).hasSize(5);
    }

    @Test
    void reconnectedMembersTakeTurnsAndAbsentMembersDoNot() {
        TestClient first = member("first");
        TestClient second = member("second");
        first.lose();
        publish(QoS.AT_LEAST_ONCE, 0, 4);
        assertThat(second.payloads()).hasSize(4);

        second.lose();
        TestClient firstAgain = back("first");
        publish(QoS.AT_LEAST_ONCE, 4, 8);

        assertThat(firstAgain.payloads()).containsExactly("4", "5", "6", "7");
    }

    @Test
    void messagesForAbsentMembersWaitInQueuesWithRoom() {
        for (String clientId : List.of("first", "second")) {
            member(clientId).lose();
        }
        publish(QoS.AT_LEAST_ONCE, 0, 8);

        assertThat(node.dropped("queue_full")).isZero();
        assertThat(back("first").payloads()).hasSize(4);
        assertThat(back("second").payloads()).hasSize(4);
    }

    @Test
    void undeliveredQosOneMessagesOfAnEndedSessionAreRedelivered() {
        TestClient leaves = node.connect("leaves").subscribe(QoS.AT_LEAST_ONCE, FILTER);
        publish(QoS.AT_LEAST_ONCE, 0, 7);
        leaves.pubAck(1);
        assertThat(leaves.payloads()).containsExactly("0", "1", "2", "3", "4");
        TestClient first = member("first");
        TestClient second = member("second");

        leaves.lose();

        List<String> all = new ArrayList<>(first.payloads());
        all.addAll(second.payloads());
        assertThat(all).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
        assertThat(first.payloads()).hasSize(3).isSorted();
        assertThat(second.payloads()).hasSize(3).isSorted();
        assertThat(first.messages()).noneMatch(PublishPacket::duplicate);
        assertThat(node.dropped("session_ended")).isZero();
        assertThat(node.count("heddle.messages.shared.redelivered")).isEqualTo(6);
        assertThat(node.count("heddle.messages.received")).isEqualTo(7);
    }

    @Test
    void queuedMessagesOfAnExpiredSessionAreCounted() {
        member("away").lose();
        publish(QoS.AT_LEAST_ONCE, 0, 3);
        node.advance(Duration.ofSeconds(60));

        assertThat(node.dropped("session_ended")).isEqualTo(3);
        assertThat(member("next").messages()).isEmpty();
    }

    @Conformance("MQTT-4.8.2-5")
    @Test
    void qosTwoMessagesInFlightAndUntakenMessagesAreDroppedAndCounted() {
        long before = node.memory.chargedBytes();
        TestClient leaves = node.connect("leaves").subscribe(QoS.EXACTLY_ONCE, FILTER);
        publish(QoS.EXACTLY_ONCE, 0, 2);
        TestClient stays = member("stays");
        leaves.lose();
        assertThat(stays.payloads()).isEmpty();
        assertThat(node.dropped("session_ended")).isEqualTo(2);

        publish(QoS.AT_LEAST_ONCE, 2, 5);
        node.connect(new Connect("stays").packet());

        assertThat(node.dropped("session_ended")).isEqualTo(5);
        assertThat(node.count("heddle.messages.shared.redelivered")).isZero();
        assertThat(node.gauge("heddle.messages.in.flight")).isZero();
        assertThat(node.gauge("heddle.messages.queued")).isZero();
        assertThat(node.memory.chargedBytes()).isEqualTo(before + TestNode.transientBytes("stays"));
    }

    @Test
    void messagesOfNonSharedSubscriptionsAreNotRedelivered() {
        TestClient both = node.connect("both").subscribe(QoS.AT_LEAST_ONCE, "t", FILTER);
        publish(QoS.AT_LEAST_ONCE, 0, 1);
        assertThat(both.payloads()).containsExactly("0", "0");
        TestClient other = member("other");

        both.lose();

        assertThat(other.payloads()).containsExactly("0");
        assertThat(node.dropped("session_ended")).isOne();
    }

    @Test
    void aMessageInTransitToAnEndingSessionGoesToAnotherMember() {
        TestClient leaves = node.connect(node.otherLoop, new Connect("leaves").packet());
        leaves.subscribe(QoS.AT_LEAST_ONCE, FILTER);
        TestClient stays = member("stays");
        node.loop.leave();
        node.otherLoop.leave();
        node.loop.run(() -> publisher.unsettled().publish("t", "0", QoS.AT_LEAST_ONCE, 1));
        node.otherLoop.run(() -> leaves.unsettled().lose());
        node.runAll();

        assertThat(leaves.payloads()).isEmpty();
        assertThat(stays.payloads()).containsExactly("0");
        assertThat(node.dropped("disconnected")).isZero();
    }

    @Conformance("MQTT-4.8.2-4")
    @Test
    void aMembersMessagesAreKeptForItWhenItsConnectionIsLost() {
        TestClient first = member("first");
        TestClient second = member("second");
        publish(QoS.EXACTLY_ONCE, 0, 4);
        assertThat(first.payloads()).hasSize(2);
        first.lose();

        TestClient again = back("first");

        assertThat(again.payloads()).isEqualTo(first.payloads());
        assertThat(again.messages()).allMatch(PublishPacket::duplicate);
        assertThat(second.payloads()).hasSize(2).doesNotContainAnyElementsOf(first.payloads());
    }

    @Test
    void restoredMembersAreDisconnectedUntilTheyConnect() {
        member("first");
        member("second").lose();
        TestNode next = node.restarted();
        TestClient first = next.connect(new Connect("first").persistent(60).packet());
        TestClient from = next.connect("publisher");
        for (int i = 0; i < 4; i++) {
            from.publish("t", Integer.toString(i), QoS.AT_LEAST_ONCE, 1);
        }

        assertThat(first.payloads()).containsExactly("0", "1", "2", "3");
    }

    @Test
    void messagesForAbsentMembersAreSharedEvenly() {
        for (String clientId : List.of("first", "second")) {
            member(clientId).lose();
        }
        publish(QoS.AT_LEAST_ONCE, 0, 4);

        assertThat(back("first").payloads()).hasSize(2);
        assertThat(back("second").payloads()).hasSize(2);
    }

    /** A member whose session ends after a minute, with three messages in its queue, and another that came later. */
    private TestClient endingMemberAndOther(TestNode on, QoS qos) {
        on.connect(new Connect("ending").persistent(60).packet())
                .subscribe(QoS.EXACTLY_ONCE, FILTER)
                .lose();
        TestClient sender = on.connect("sender");
        for (String payload : List.of("1", "2", "3")) {
            sender.publish("t", payload, qos, 1);
            sender.pubRel(1);
        }
        return on.connect(new Connect("other").persistent(3_600).packet()).subscribe(QoS.EXACTLY_ONCE, FILTER);
    }

    @Test
    void theQueueOfAnExpiredMemberIsRedelivered() {
        TestClient other = endingMemberAndOther(node, QoS.AT_LEAST_ONCE);
        assertThat(other.messages()).isEmpty();

        node.advance(Duration.ofSeconds(60));

        assertThat(other.payloads()).containsExactly("1", "2", "3");
        assertThat(node.count("heddle.messages.shared.redelivered")).isEqualTo(3);
        assertThat(node.dropped("session_ended")).isZero();
        assertThat(node.persistent.find(new ClientId("ending"))).isNull();
        assertThat(node.restarted().persistent.find(new ClientId("ending"))).isNull();
    }

    @Test
    void messagesOnTheirWayToTheQueueOfAnExpiredMemberAreRedelivered() {
        node.connect(new Connect("ending").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, FILTER)
                .lose();
        node.connect(new Connect("other").persistent(3_600).packet())
                .subscribe(QoS.AT_LEAST_ONCE, FILTER)
                .lose();
        node.log.hold(100);
        publish(QoS.AT_LEAST_ONCE, 0, 2);
        node.connect(new Connect("exact").persistent(3_600).packet()).publish("t", "2", QoS.EXACTLY_ONCE, 1);
        node.connect(new Connect("too").persistent(3_600).packet()).publish("t", "3", QoS.EXACTLY_ONCE, 1);

        node.advance(Duration.ofSeconds(60));
        node.log.release();
        node.advance(Duration.ofSeconds(1));

        assertThat(node.persistent.find(new ClientId("ending"))).isNull();
        TestClient other = node.connect(new Connect("other").persistent(3_600).packet());
        assertThat(other.payloads()).containsExactlyInAnyOrder("0", "1", "2", "3");
        assertThat(node.dropped("session_ended")).isZero();
    }

    @Conformance("MQTT-4.8.2-5")
    @Test
    void qosTwoAndNonSharedMessagesAreNotRedelivered() {
        TestClient other = endingMemberAndOther(node, QoS.EXACTLY_ONCE);
        back("ending").subscribe(QoS.AT_LEAST_ONCE, "own").lose();
        publisher.publish("own", "x", QoS.AT_LEAST_ONCE, 1);

        node.advance(Duration.ofSeconds(60));

        assertThat(other.messages()).as("[MQTT-4.8.2-5]").isEmpty();
        assertThat(node.dropped("session_ended")).isEqualTo(4);
    }

    @Test
    void aCleanStartAndADisconnectWithoutExpiryRedeliverTheQueue() {
        TestClient other = endingMemberAndOther(node, QoS.AT_LEAST_ONCE);
        TestClient fresh = node.connect(
                new Connect("ending").persistent(60).cleanStart(true).packet());
        assertThat(fresh.connAck().sessionPresent()).isFalse();
        assertThat(other.payloads()).containsExactly("1", "2", "3");
        assertThat(fresh.messages()).isEmpty();

        TestNode another = new TestNode();
        TestClient second = endingMemberAndOther(another, QoS.AT_LEAST_ONCE);
        TestClient ending = another.connect(new Connect("ending").persistent(60).packet());
        assertThat(ending.payloads()).containsExactly("1", "2", "3");
        ending.pubAck(ending.messages().getFirst().packetId());
        another.advance(Duration.ofSeconds(1));
        ending.send(new DisconnectPacket(ReasonCode.SUCCESS, 0L, null, List.of(), null));
        another.runAll();
        assertThat(second.payloads()).containsExactly("2", "3");
        assertThat(another.persistent.find(new ClientId("ending"))).isNull();
    }

    @Test
    void withoutAnotherMemberTheQueueIsDroppedAndCounted() {
        endingMemberAndOther(node, QoS.AT_LEAST_ONCE).send(new UnsubscribePacket(9, List.of(), List.of(FILTER)));

        node.advance(Duration.ofSeconds(60));

        assertThat(node.dropped("session_ended")).isEqualTo(3);
        assertThat(node.persistent.find(new ClientId("ending"))).isNull();
    }

    @Test
    void aSessionEndsWhenItsMessagesAreDurableElsewhere() {
        endingMemberAndOther(node, QoS.AT_LEAST_ONCE);
        node.log.hold(2);
        node.advance(Duration.ofSeconds(60));
        assertThat(node.persistent.find(new ClientId("ending"))).isNotNull();
        TestClient early = back("ending");
        assertThat(early.connection().sent()).as("its session is ending").isEmpty();

        TestNode next = node.restarted();
        TestClient otherThere =
                next.connect(new Connect("other").persistent(3_600).packet());
        assertThat(otherThere.payloads()).as("killed before").containsExactly("1", "2", "3");
    }

    @Test
    void aFullLogOrAnUnavailableStoreDelaysTheEndWithoutLoss() {
        TestClient other = endingMemberAndOther(node, QoS.AT_LEAST_ONCE);
        node.stores.registry.failWith(new StoreUnavailableException("the store is away", null));
        node.log.hold(0);
        node.advance(Duration.ofSeconds(60));
        node.stores.registry.failWith(null);
        node.advance(Duration.ofSeconds(1));
        assertThat(other.messages()).isEmpty();
        TestClient early = back("ending");
        assertThat(early.connection().sent()).isEmpty();

        node.log.release();
        node.advance(Duration.ofSeconds(1));

        assertThat(other.payloads()).containsExactly("1", "2", "3");
        node.advance(Duration.ofMillis(50));
        assertThat(early.connAck().sessionPresent()).isFalse();
        assertThat(node.dropped("session_ended")).isZero();
    }
}

package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that change their subscriptions faster than the log accepts changes: {@link TestNode} admits 6,000 bytes of changes. */
final class SubscriptionFloodTest {
    private static final String LONG_FILTER = "f".repeat(2_000);

    private final TestNode node = new TestNode();

    private TestClient persistent(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    @Test
    void aClientWithTooManyPendingChangesIsNotReadUntilTheyAreWritten() {
        TestClient client = persistent("c");
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        assertThat(client.connection().isReading()).isTrue();
        client.send(new UnsubscribePacket(8, List.of(), List.of(LONG_FILTER)));
        assertThat(client.connection().isReading()).isFalse();

        node.stores.routeLog.release();
        node.runAll();

        assertThat(client.connection().isReading()).isTrue();
        assertThat(client.connection().sent(SubAckPacket.class)).hasSize(1);
        assertThat(client.connection().sent(UnsubAckPacket.class)).hasSize(1);
        assertThat(node.gauge("heddle.subscriptions.pending.bytes")).isZero();
    }

    @Test
    void aClientPausedForTwoReasonsIsResumedAfterBoth() {
        TestClient client = persistent("c");
        client.connected().inflow().pause();
        node.stores.routeLog.hold();
        client.subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER, LONG_FILTER + "/2");
        node.stores.routeLog.release();
        node.runAll();
        assertThat(client.connection().isReading()).as("one reason is left").isFalse();

        client.connected().inflow().resume();

        assertThat(client.connection().isReading()).isTrue();
    }

    @Test
    void changesAboveTheLimitOfAllClientsWaitInTheirOrder() {
        TestClient first = persistent("first");
        TestClient second = persistent("second");
        node.stores.routeLog.hold();
        first.subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        second.subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        second.subscribe(QoS.AT_LEAST_ONCE, "t");
        second.send(new UnsubscribePacket(8, List.of(), List.of("t")));
        assertThat(node.trie.size()).as("the second one waits").isEqualTo(1);
        assertThat(node.gauge("heddle.subscriptions.waiting.bytes")).isPositive();

        node.stores.routeLog.release();
        node.runAll();

        assertThat(second.connection().sent(SubAckPacket.class)).hasSize(2);
        assertThat(second.connection().sent(UnsubAckPacket.class))
                .extracting(UnsubAckPacket::reasons)
                .containsExactly(List.of(ReasonCode.SUCCESS));
        assertThat(node.trie.size()).as("the long filter of each").isEqualTo(2);
        assertThat(node.gauge("heddle.subscriptions.waiting.bytes")).isZero();
        assertThat(node.gauge("heddle.subscriptions.pending.bytes")).isZero();
    }

    @Test
    void aSubscribeThatFindsNoRoomToWaitIsRefusedAndAnUnsubscribeEndsTheConnection() {
        node.stores.routeLog.hold();
        persistent("a").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        persistent("b").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        TestClient client = persistent("c");

        client.subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER, "t");

        assertThat(client.subscribed()).containsExactly(ReasonCode.QUOTA_EXCEEDED, ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.count("heddle.subscriptions.refused")).isEqualTo(2);
        client.sendForbidden(new UnsubscribePacket(9, List.of(), List.of(LONG_FILTER)), ReasonCode.QUOTA_EXCEEDED);
        // A small request still finds room, and clients whose sessions end with their connections need none.
        client.subscribe(QoS.AT_LEAST_ONCE, "small");
        assertThat(client.connection().sent(SubAckPacket.class)).hasSize(1);
        assertThat(node.connect("d").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER).subscribed())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
    }

    @Test
    void aFilterRepeatedInAPacketIsWrittenOnce() {
        TestClient client = persistent("c");
        int before = node.stores.routeLog.size();

        client.send(new SubscribePacket(
                7,
                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                List.of(),
                Collections.nCopies(
                        100, new SubscriptionRequest("t", QoS.AT_LEAST_ONCE, false, false, RetainHandling.SEND))));

        assertThat(client.subscribed()).hasSize(100).containsOnly(ReasonCode.GRANTED_QOS_1);
        assertThat(node.stores.routeLog.size()).isEqualTo(before + 1);
    }

    private static SubscriptionRequest request(String filter, QoS qos) {
        return new SubscriptionRequest(filter, qos, false, false, RetainHandling.SEND);
    }

    @Test
    void aPacketWithTooManyFiltersIsRefusedAndChangesNothing() {
        for (TestClient client : List.of(persistent("c"), node.connect("brief"))) {
            client.subscribe(QoS.AT_LEAST_ONCE, "kept");
            int before = node.trie.size();

            client.send(new SubscribePacket(
                    7,
                    SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                    List.of(),
                    Collections.nCopies(1_001, request("t", QoS.AT_LEAST_ONCE))));
            client.sendForbidden(
                    new UnsubscribePacket(8, List.of(), Collections.nCopies(1_001, "kept")), ReasonCode.QUOTA_EXCEEDED);

            assertThat(client.subscribed()).hasSize(1_001).containsOnly(ReasonCode.QUOTA_EXCEEDED);
            assertThat(node.trie.size()).isEqualTo(before);
        }
    }

    @Test
    void aRepeatedRequestIsProcessedOnceAndNewOptionsReplaceOldOnes() {
        TestClient publisher = node.connect("publisher");
        publisher.retain("t", "retained");
        TestClient client = node.connect("c");

        client.subscribe(
                request("t", QoS.AT_LEAST_ONCE),
                request("t", QoS.AT_MOST_ONCE),
                request("t", QoS.AT_MOST_ONCE),
                request("t", QoS.EXACTLY_ONCE),
                request("t", QoS.EXACTLY_ONCE));
        publisher.publish("t", "new", QoS.EXACTLY_ONCE, 1);

        assertThat(client.subscribed())
                .containsExactly(
                        ReasonCode.GRANTED_QOS_1,
                        ReasonCode.SUCCESS,
                        ReasonCode.SUCCESS,
                        ReasonCode.GRANTED_QOS_2,
                        ReasonCode.GRANTED_QOS_2);
        assertThat(client.messages().getLast().qos()).isEqualTo(QoS.EXACTLY_ONCE);
    }

    @Test
    void aWaitingChangeOfADisconnectedClientIsDiscarded() {
        node.stores.routeLog.hold();
        persistent("a").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        TestClient client = persistent("c").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        client.lose();

        node.stores.routeLog.release();
        node.runAll();

        assertThat(node.trie.size()).isEqualTo(1);
        assertThat(node.gauge("heddle.subscriptions.pending.bytes")).isZero();
        assertThat(node.gauge("heddle.subscriptions.waiting.bytes")).isZero();
    }

    @Test
    void anInvalidWaitingSubscribeEndsTheConnection() {
        node.stores.routeLog.hold();
        persistent("a").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER);
        TestClient client = persistent("c").subscribe(QoS.AT_LEAST_ONCE, LONG_FILTER, "a/#/b");
        node.stores.routeLog.release();
        node.runAll();

        assertThat(client.connection().sent(SubAckPacket.class)).isEmpty();
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(node.gauge("heddle.subscriptions.pending.bytes")).isZero();
    }
}

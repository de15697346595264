package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway with as many subscriptions as a client may have by default. */
final class TenThousandSubscriptionsTest {
    private static final int MANY = 10_000;

    /** What a node has by default with a heap of 256 MB. */
    private static final long MEMORY = 64L << 20;

    private final TestNode node = new TestNode(
            new SessionSettings(
                    1 << 20,
                    8,
                    TopicRules.STANDARD,
                    MANY,
                    5,
                    3_600,
                    3_600,
                    0,
                    100,
                    4,
                    2,
                    TestNode.QUEUE,
                    50,
                    20_000,
                    TestNode.PATIENCE),
            MEMORY);

    private static String[] filters(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> "homes/" + i % 100 + "/rooms/" + i + "/sensors/+/state")
                .toArray(String[]::new);
    }

    private static void subscribe(TestClient client, int perPacket) {
        for (int from = 0; from < MANY; from += perPacket) {
            client.subscribe(QoS.AT_LEAST_ONCE, filters(from, perPacket));
            assertThat(client.subscribed()).hasSize(perPacket).containsOnly(ReasonCode.GRANTED_QOS_1);
        }
    }

    @ParameterizedTest
    @CsvSource({"10000,0", "10000,60", "10,0", "10,60"})
    void areAcceptedInAnyNumberOfPackets(int perPacket, long expirySeconds) {
        ConnectPacket connect = new Connect("gateway").persistent(expirySeconds).packet();
        TestClient gateway = node.connect(connect);
        subscribe(gateway, perPacket);
        TestClient publisher = node.connect("publisher");

        publisher.publish("homes/99/rooms/9999/sensors/1/state", "on", QoS.AT_LEAST_ONCE, 1);
        gateway.subscribe(QoS.AT_LEAST_ONCE, "one/more");

        assertThat(node.trie.size()).isEqualTo(MANY);
        assertThat(gateway.payloads()).containsExactly("on");
        assertThat(gateway.subscribed()).containsExactly(ReasonCode.QUOTA_EXCEEDED);
    }

    @ParameterizedTest
    @CsvSource({"0", "60"})
    void areTakenOver(long expirySeconds) {
        ConnectPacket connect = new Connect("gateway").persistent(expirySeconds).packet();
        TestClient before = node.connect(connect);
        subscribe(before, MANY);

        TestClient after = node.connect(node.otherLoop, connect);
        if (expirySeconds == 0) {
            subscribe(after, MANY);
        }
        node.connect("publisher").publish("homes/0/rooms/0/sensors/1/state", "on", QoS.AT_LEAST_ONCE, 1);

        assertThat(before.disconnected()).containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(after.connAck().sessionPresent()).isEqualTo(expirySeconds > 0);
        assertThat(after.payloads()).containsExactly("on");
        assertThat(node.trie.size()).isEqualTo(MANY);
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    void surviveARestart(boolean isCompacted) {
        ConnectPacket connect = new Connect("gateway").persistent(60).packet();
        subscribe(node.connect(connect), MANY);
        if (isCompacted) {
            node.stores.clientLog.compact();
        }

        TestNode next = node.restarted();
        TestClient gateway = next.connect(connect);
        next.connect("publisher").publish("homes/1/rooms/1/sensors/1/state", "on", QoS.AT_LEAST_ONCE, 1);

        assertThat(next.trie.size()).isEqualTo(MANY);
        assertThat(gateway.connAck().sessionPresent()).isTrue();
        assertThat(gateway.payloads()).containsExactly("on");
    }

    @ParameterizedTest
    @CsvSource({"0", "60"})
    void areRemovedByOnePacket(long expirySeconds) {
        double memory = node.gauge("heddle.sessions.memory.bytes");
        TestClient gateway =
                node.connect(new Connect("gateway").persistent(expirySeconds).packet());
        subscribe(gateway, MANY);

        gateway.send(new UnsubscribePacket(2, List.of(), List.of(filters(0, MANY))));

        assertThat(node.trie.size()).isZero();
        gateway.endSession();
        assertThat(node.gauge("heddle.sessions.memory.bytes")).isEqualTo(memory);
    }
}

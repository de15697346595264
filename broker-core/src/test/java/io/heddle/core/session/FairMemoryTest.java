package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.session.outbound.QueueLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many sessions whose clients never acknowledge share the memory with others. */
final class FairMemoryTest {
    private static final int LIMIT = 400_000;
    private static final int STALLED = 50;
    private static final String THOUSAND_BYTES = "x".repeat(1_000);

    private final TestNode node = new TestNode(
            new SessionSettings(
                    65_536,
                    8,
                    TopicRules.STANDARD,
                    3,
                    200,
                    3_600,
                    3_600,
                    0,
                    100,
                    4,
                    2,
                    new QueueLimits(1_000, 1_000_000, QueueLimits.Overflow.DROP_OLDEST),
                    1_000,
                    20_000,
                    TestNode.PATIENCE),
            LIMIT);
    private final TestClient publisher = node.connect("publisher");

    private void publish(String topic) {
        publisher.publish(topic, THOUSAND_BYTES, QoS.AT_LEAST_ONCE, 1);
    }

    private long refused() {
        return publisher.connection().sent(PubAckPacket.class).stream()
                .filter(answer -> answer.reason() == ReasonCode.QUOTA_EXCEEDED)
                .count();
    }

    @BeforeEach
    void stall() {
        for (int i = 0; i < STALLED; i++) {
            node.connect("stalled-" + i).subscribe(QoS.AT_LEAST_ONCE, "stalled/" + i);
        }
        for (int i = 0; i < 20 * STALLED; i++) {
            publish("stalled/" + i % STALLED);
        }
    }

    @Test
    void thePublisherIsNotRefusedAndTheReserveStaysFree() {
        assertThat(refused()).isZero();
        assertThat(node.memory.chargedBytes()).isBetween(LIMIT / 2L, LIMIT / 8L * 7);
        assertThat(node.dropped("memory_limit")).isPositive();
    }

    @Test
    void eachSlowClientHoldsAboutTheSameAmount() {
        double held = node.gauge("heddle.messages.in.flight") + node.gauge("heddle.messages.queued");

        assertThat(held / STALLED).isBetween(3.0, 7.0);
        assertThat(node.gauge("heddle.messages.in.flight"))
                .as("every session has at least three")
                .isGreaterThanOrEqualTo(3.0 * STALLED);
    }

    @Test
    void newClientsConnectAndAClientThatKeepsUpGetsEveryMessage() {
        TestClient healthy = node.connect("healthy");
        assertThat(healthy.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(healthy.subscribe(QoS.AT_LEAST_ONCE, "healthy").subscribed())
                .containsExactly(ReasonCode.GRANTED_QOS_1);
        publish("healthy");
        healthy.pubAck(healthy.messages().getFirst().packetId());
        // Only the reserve is free.
        node.memory.charge(LIMIT / 8 * 7 - node.memory.chargedBytes());
        double dropped = node.dropped("memory_limit");
        int acknowledged = 1;
        for (int i = 2; i <= 100; i++) {
            publish("healthy");
            if (i > 3) {
                healthy.pubAck(healthy.messages().get(acknowledged++).packetId());
            }
        }

        assertThat(healthy.messages()).hasSize(100);
        assertThat(node.dropped("memory_limit")).isEqualTo(dropped);
        assertThat(refused()).isZero();
        assertThat(node.connect(new Connect("lasts").persistent(60).packet())
                        .connAck()
                        .reason())
                .isEqualTo(ReasonCode.SUCCESS);
    }
}

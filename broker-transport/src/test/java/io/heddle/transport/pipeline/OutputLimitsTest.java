package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.testkit.RecordingSessions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The limits of a connection's output, through the whole pipeline. */
final class OutputLimitsTest {
    @Conformance("MQTT-3.1.2-24")
    @Test
    void aPacketAboveTheClientsMaximumIsNotSent() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("10 { <MQTT> 05 02 000A { 27 00000014 } <c> }");
            wire.sent();
            Connection connection = wire.sessions.only().connection();

            assertThat(connection.send(message(QoS.AT_MOST_ONCE, 100))).isFalse();
            assertThat(connection.send(message(QoS.AT_MOST_ONCE, 4))).isTrue();

            assertThat(wire.sent()).isEqualTo("3008000161" + "00" + "00000000");
            assertThat(wire.count("heddle.packets.unsent", "reason", "packet_too_large"))
                    .isEqualTo(1);
        }
    }

    @Test
    void connectionWithMuchBufferedOutputIsNotWritable() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            Connection connection = wire.sessions.only().connection();
            assertThat(connection.isWritable()).isTrue();

            connection.send(message(QoS.AT_MOST_ONCE, 1100));
            assertThat(connection.isWritable()).isFalse();

            wire.sent();
            assertThat(connection.isWritable()).isTrue();
        }
    }

    @Test
    void atTheOutboundLimitQos0MessagesAreDroppedAndOtherPacketsCloseTheConnection() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            Connection connection = session.connection();
            assertThat(connection.send(message(QoS.AT_MOST_ONCE, 4096))).isTrue();

            assertThat(connection.send(message(QoS.AT_MOST_ONCE, 1))).isFalse();
            assertThat(connection.isOpen()).isTrue();
            assertThat(wire.count("heddle.packets.unsent", "reason", "slow_consumer"))
                    .isEqualTo(1);

            assertThat(connection.send(PingRespPacket.INSTANCE)).isFalse();
            wire.channel.runPendingTasks();
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.connections.overflowed")).isEqualTo(1);
            assertThat(session.lostCount()).isEqualTo(1);
        }
    }

    @Test
    void clientThatDoesNotReadHasRoomForQos0MessagesBelowTheBurstLimit() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            Connection connection = wire.sessions.only().connection();
            connection.send(message(QoS.AT_MOST_ONCE, 1100));
            assertThat(connection.isWritable()).isFalse();
            assertThat(connection.hasRoomFor(BinaryData.EMPTY)).isTrue();
            assertThat(connection.isCongested()).isTrue();
            assertThat(wire.registry
                            .get("heddle.connections.unsent.bytes")
                            .gauge()
                            .value())
                    .isPositive();

            connection.send(message(QoS.AT_MOST_ONCE, 4096));
            assertThat(connection.hasRoomFor(BinaryData.EMPTY)).isFalse();

            wire.sent();
            assertThat(connection.hasRoomFor(BinaryData.EMPTY)).isTrue();
            assertThat(connection.isCongested()).isFalse();
            assertThat(wire.registry
                            .get("heddle.connections.unsent.bytes")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    void unsentOutputLimitOfTheNodeLeavesRoomOnlyForClientsThatKeepUp() {
        try (Wire wire = new Wire(new RecordingSessions(), 1)) {
            wire.receive(GoldenPackets.connect(MqttVersion.V5));
            Connection connection = wire.sessions.only().connection();
            assertThat(connection.hasRoomFor(BinaryData.EMPTY)).isTrue();

            connection.send(message(QoS.AT_MOST_ONCE, 1100));
            assertThat(connection.hasRoomFor(BinaryData.EMPTY)).isFalse();
        }
    }

    static MqttPacket message(QoS qos, int payloadBytes) {
        return new PublishPacket(
                TopicName.parse("a", 1),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[payloadBytes]));
    }
}

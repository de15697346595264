package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.testkit.RecordingSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the work of one turn of the event loop. */
class TurnTest {
    @Test
    void acknowledgementsOfOneReadAreWrittenTogether() {
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            if (packet instanceof PublishPacket publish) {
                connection.send(new PubAckPacket(publish.packetId(), ReasonCode.SUCCESS, null, List.of()));
            }
        });
        try (Wire wire = Wire.connected(sessions, MqttVersion.V3_1_1)) {
            StringBuilder publishes = new StringBuilder();
            StringBuilder acknowledgements = new StringBuilder();
            for (int packetId = 1; packetId <= 100; packetId++) {
                publishes.append("32 { <a> %04X 'x' }".formatted(packetId));
                acknowledgements.append("4002%04x".formatted(packetId));
            }
            double before = wire.count("heddle.writes");

            wire.receive(publishes.toString());

            assertThat(wire.writes()).containsExactly(acknowledgements.toString());
            assertThat(wire.count("heddle.writes") - before).isEqualTo(1);
            assertThat(wire.count("heddle.packets.received", "type", "publish")).isEqualTo(100);
            assertThat(wire.count("heddle.packets.sent", "type", "puback")).isEqualTo(100);
        }
    }

    @Test
    void messagesOfOneTurnAreWrittenTogether() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            Connection connection = wire.sessions.only().connection();
            StringBuilder expected = new StringBuilder();
            for (int i = 10; i < 60; i++) {
                connection.send(message("t" + i, 1));
                expected.append(PacketBytes.hex(PacketBytes.of("30 { <t" + i + "> {} 00 }")));
            }

            assertThat(wire.writes()).containsExactly(expected.toString());
            assertThat(wire.count("heddle.packets.sent", "type", "publish")).isEqualTo(50);
        }
    }

    @Test
    void countersAreUpdatedAtTheEndOfATurn() {
        RecordingSessions sessions =
                new RecordingSessions().thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            for (int turn = 1; turn <= 3; turn++) {
                wire.receive("C000 C000");
                assertThat(wire.count("heddle.packets.received", "type", "pingreq"))
                        .isEqualTo(2 * turn);
                assertThat(wire.count("heddle.packets.sent", "type", "pingresp"))
                        .isEqualTo(2 * turn);
                assertThat(wire.count("heddle.bytes.received")).isEqualTo(16 + 4 * turn);
                assertThat(wire.count("heddle.bytes.sent")).isEqualTo(5 + 4 * turn);
                assertThat(wire.count("heddle.writes")).isEqualTo(1 + turn);
            }
        }
    }

    @Test
    void messageIsSentAgainInALaterTurn() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V3_1_1)) {
            Connection connection = wire.sessions.only().connection();
            PublishPacket message = message("a", 1);
            connection.send(message);
            connection.send(message);
            assertThat(wire.writes()).containsExactly("300400016100" + "300400016100");

            connection.send(message);
            assertThat(wire.writes()).containsExactly("300400016100");
        }
    }

    @Test
    void sessionIsNotifiedWhenItsConnectionIsWritableAgain() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            assertThat(session.writableCount()).isZero();

            session.connection().send(message("a", 1100));
            assertThat(session.connection().isWritable()).isFalse();
            assertThat(session.writableCount()).isZero();
            wire.sent();

            assertThat(session.connection().isWritable()).isTrue();
            assertThat(session.writableCount()).isEqualTo(1);
        }
    }

    @Test
    void packetSentWhenWritableAgainIsWrittenInTheNextTurn() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V3_1_1)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.sendWhenWritable(PingRespPacket.INSTANCE);

            session.connection().send(message("a", 1100));

            assertThat(wire.writes()).hasSize(2).last().isEqualTo("d000");
        }
    }

    @Test
    void clientWithManySmallPacketsGetsOneShareInEachTurn() {
        RecordingSessions sessions =
                new RecordingSessions().thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            int share = Wire.LIMITS.packetsPerTurn();

            wire.receive("C000".repeat(2 * share + 10));

            List<String> writes = wire.writes();
            assertThat(writes).hasSizeGreaterThan(1);
            assertThat(writes.getFirst()).isEqualTo("d000".repeat(share));
            assertThat(String.join("", writes)).isEqualTo("d000".repeat(2 * share + 10));
        }
    }

    @Test
    void clientWithSlowPacketsGetsOneInEachTurn() {
        List<Wire> wires = new ArrayList<>();
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            wires.getFirst().channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            connection.send(PingRespPacket.INSTANCE);
        });
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wires.add(wire);

            wire.receive("C000".repeat(20));

            List<String> writes = wire.writes();
            assertThat(writes.getFirst()).as("before it is known").isEqualTo("d000".repeat(3));
            assertThat(writes.subList(1, writes.size())).hasSize(17).containsOnly("d000");
        }
    }

    @Test
    void pausedConnectionDecodesNothingUntilResumed() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.connection().pauseReading();
            wire.receive("C000 C000");
            wire.receive("C000");
            assertThat(session.received()).isEmpty();
            assertThat(wire.channel.config().isAutoRead()).isFalse();

            session.connection().resumeReading();
            wire.channel.runPendingTasks();

            assertThat(session.received()).hasSize(3);
            assertThat(wire.channel.config().isAutoRead()).isTrue();
        }
    }

    @Test
    void waitingPacketsAreProcessedAfterTheClientCloses() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.connection().pauseReading();
            wire.receive("C000 C000");

            var _ = wire.channel.close();
            wire.channel.runPendingTasks();
            assertThat(session.received()).isEmpty();
            assertThat(session.lostCount()).isZero();

            session.connection().resumeReading();
            wire.channel.runPendingTasks();

            assertThat(session.received()).hasSize(2);
            assertThat(session.lostCount()).isEqualTo(1);
            assertThat(wire.registry.get("heddle.connections").gauge().value()).isZero();
        }
    }

    @Test
    void clientThatSendsManyPacketsAndClosesGetsOneShareInEachTurn() {
        RecordingSessions sessions = new RecordingSessions();
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            RecordingSessions.Attempt session = sessions.only();
            int share = Wire.LIMITS.packetsPerTurn();
            session.connection().pauseReading();
            wire.receive("C000".repeat(3 * share));
            List<Integer> received = new ArrayList<>();

            var _ = wire.channel.close();
            watch(session, received);
            session.connection().resumeReading();
            wire.channel.runPendingTasks();

            assertThat(received.stream().distinct()).containsExactly(0, share, 2 * share, 3 * share);
            assertThat(session.lostCount()).isEqualTo(1);
            assertThat(wire.registry
                            .get("heddle.packets.unfinished.bytes")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    void waitingPacketsAreDroppedWhenThisSideClosesALostConnection() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.connection().pauseReading();
            wire.receive("C000".repeat(1_000));
            var _ = wire.channel.close();

            session.connection().close();
            wire.channel.runPendingTasks();

            assertThat(session.received()).isEmpty();
            assertThat(session.lostCount()).isEqualTo(1);
            assertThat(wire.registry.get("heddle.connections").gauge().value()).isZero();
            assertThat(wire.registry
                            .get("heddle.packets.unfinished.bytes")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    void malformedPacketAfterTheConnectionIsLostEndsItsSession() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.connection().pauseReading();
            wire.receive("C000 FF01 00 C000");
            var _ = wire.channel.close();

            session.connection().resumeReading();
            wire.channel.runPendingTasks();

            assertThat(session.received()).hasSize(1);
            assertThat(session.lostCount()).isEqualTo(1);
        }
    }

    @Test
    void waitingPacketsAreChargedAsUnfinishedPackets() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            RecordingSessions.Attempt session = wire.sessions.only();
            session.connection().pauseReading();
            wire.receive("C000".repeat(1_000));
            assertThat(wire.registry
                            .get("heddle.packets.unfinished.bytes")
                            .gauge()
                            .value())
                    .isEqualTo(2_000);

            session.connection().resumeReading();
            wire.channel.runPendingTasks();

            assertThat(session.received()).hasSize(1_000);
            assertThat(wire.registry
                            .get("heddle.packets.unfinished.bytes")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    /** Records in each turn how many packets a session has received, until its connection is lost. */
    private static void watch(RecordingSessions.Attempt session, List<Integer> received) {
        received.add(session.received().size());
        if (session.lostCount() == 0) {
            var _ = session.connection().eventLoop().schedule(Duration.ZERO, () -> watch(session, received));
        }
    }

    private static PublishPacket message(String topic, int payloadBytes) {
        return new PublishPacket(
                TopicName.parse(topic, 1),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[payloadBytes]));
    }
}

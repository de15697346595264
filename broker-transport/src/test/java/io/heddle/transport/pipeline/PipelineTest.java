package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.testkit.Conformance;
import io.heddle.transport.codec.Golden;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.testkit.RecordingSessions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PipelineTest {
    private static final String PING = "C000";

    @Conformance("MQTT-3.2.0-1")
    @Test
    void nothingIsProcessedBeforeTheSessionExists() {
        try (Wire wire = new Wire(new RecordingSessions().thatWait())) {
            wire.receive("10 { <MQTT> 05 02 000A {} <c> } C000 30 { <a> {} 'x' }");

            RecordingSessions.Attempt attempt = wire.sessions.only();
            assertThat(attempt.received()).isEmpty();
            assertThat(wire.channel.config().isAutoRead()).isFalse();
            assertThat(wire.sent()).isEmpty();

            attempt.accept();
            wire.channel.runPendingTasks();

            assertThat(attempt.received()).hasSize(2).first().isEqualTo(PingReqPacket.INSTANCE);
            assertThat(wire.channel.config().isAutoRead()).isTrue();
            assertThat(wire.sent()).isEqualTo("2003000000");
        }
    }

    @Test
    void sessionIsNotifiedOfAConnectionLostWhileConnecting() {
        try (Wire wire = new Wire(new RecordingSessions().thatWait())) {
            wire.receive(GoldenPackets.connect(MqttVersion.V5));
            var _ = wire.channel.close();
            wire.channel.runPendingTasks();
            RecordingSessions.Attempt attempt = wire.sessions.only();
            assertThat(attempt.lostCount()).isZero();

            attempt.accept();

            assertThat(attempt.lostCount()).isEqualTo(1);
            assertThat(wire.sent()).isEmpty();
        }
    }

    @Test
    void closingAConnectionNotifiesItsSessionOnce() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            var _ = wire.channel.close();
            wire.channel.runPendingTasks();
            wire.channel.pipeline().fireChannelInactive();

            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Conformance({"MQTT-3.1.4-6", "MQTT-3.2.0-2", "MQTT-3.2.2-6", "MQTT-3.2.2-7", "MQTT-3.14.0-1", "MQTT-4.13.2-1"})
    @Test
    void aRefusedClientGetsItsConnackAndNothingElse() {
        try (Wire wire = new Wire(new RecordingSessions().thatWait())) {
            wire.receive("10 { <MQTT> 05 02 000A {} <c> } C000");

            wire.sessions.only().refuse(ReasonCode.NOT_AUTHORIZED);

            assertThat(wire.sent()).isEqualTo("2003008700");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sessions.only().received()).isEmpty();
        }
    }

    @Conformance(
            value = {
                "MQTT-3.1.0-1",
                "MQTT-3.1.0-2",
                "MQTT-3.1.2-1",
                "MQTT-3.1.2-2",
                "MQTT-3.1.4-1",
                "MQTT-3.14.0-1",
                "MQTT-3.14.4-2",
                "MQTT-4.13.1-1",
                "MQTT-4.13.2-1"
            },
            mqtt311 = {"MQTT-3.1.0-2", "MQTT-3.1.2-2", "MQTT-3.1.4-1", "MQTT-4.8.0-1"})
    @ParameterizedTest
    @MethodSource("io.heddle.transport.codec.GoldenPackets#violations")
    void everyViolationIsAnsweredCountedAndClosesTheConnection(Golden row) {
        try (Wire wire = new Wire(new RecordingSessions())) {
            if (row.phase() == Golden.Phase.CLIENT) {
                wire.receive(GoldenPackets.connect(row.version()));
                wire.sent();
            }
            wire.receive(row.bytes());

            String answer = wire.sent();
            assertThat(wire.channel.isActive()).isFalse();
            ReasonCode reason = java.util.Objects.requireNonNull(row.error());
            assertThat(wire.count("heddle.protocol.errors", "reason", reason.tag()))
                    .isEqualTo(1);
            assertThat(answer).matches(expectedAnswer(row, reason));
        }
    }

    /** DISCONNECT or CONNACK with the reason in MQTT 5.0; in earlier versions, CONNACK if there is a return code. */
    private static String expectedAnswer(Golden row, ReasonCode reason) {
        String code = String.format("%02x", reason.code());
        if (row.phase() == Golden.Phase.CLIENT) {
            return row.version() == MqttVersion.V5 ? "e0.." + code + "..1f.*" : "";
        }
        if (reason == ReasonCode.UNSUPPORTED_PROTOCOL_VERSION) {
            return "20020001";
        }
        // No answer is possible before the version is known.
        return row.version() == MqttVersion.V5 ? "(20..00" + code + "..1f.*)?" : "";
    }

    @Conformance({"MQTT-3.1.4-1", "MQTT-3.2.2-6", "MQTT-3.14.0-1"})
    @Test
    void aMalformedConnectOfMqtt5IsAnsweredWithItsReason() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("10 { <MQTT> 05 02 0000 { 21 0000 } <c> }");

            assertThat(wire.sent()).startsWith("20").contains("0082");
            assertThat(wire.sessions.attempts()).isEmpty();
        }
    }

    @Conformance({"MQTT-3.2.0-1", "MQTT-3.14.0-1", "MQTT-3.14.4-2", "MQTT-4.13.1-1"})
    @Test
    void aViolationBehindConnectIsAnsweredOnceTheSessionExists() {
        try (Wire wire = new Wire(new RecordingSessions().thatWait())) {
            wire.receive("10 { <MQTT> 05 02 000A {} <c> } C100");
            assertThat(wire.sent()).isEmpty();

            wire.sessions.only().accept();
            wire.channel.runPendingTasks();

            assertThat(wire.sent()).startsWith("2003000000" + "e0").contains("81");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Conformance(
            value = {"MQTT-3.14.4-1", "MQTT-3.14.4-2", "MQTT-4.13.2-1"},
            mqtt311 = "MQTT-4.8.0-1")
    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void aViolationFoundByTheSessionIsAnswered(MqttVersion version) {
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            throw new ProtocolException(ReasonCode.QOS_NOT_SUPPORTED, "no");
        });
        try (Wire wire = Wire.connected(sessions, version)) {
            wire.receive(PING);

            assertThat(wire.sent())
                    .isEqualTo(
                            version == MqttVersion.V5 ? PacketBytes.hex(PacketBytes.of("E0 { 9B { 1F <no> } }")) : "");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Test
    void violationInWaitingPacketsIsAnswered() {
        RecordingSessions sessions = new RecordingSessions().thatWait().thatAnswer((connection, packet) -> {
            throw new ProtocolException(ReasonCode.TOPIC_ALIAS_INVALID, "no");
        });
        try (Wire wire = new Wire(sessions)) {
            wire.receive("10 { <MQTT> 05 02 000A {} <c> } C000 C000");

            wire.sessions.only().accept();

            assertThat(wire.sent()).isEqualTo("2003000000" + PacketBytes.hex(PacketBytes.of("E0 { 94 { 1F <no> } }")));
            assertThat(wire.sessions.only().received()).hasSize(1);
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Test
    void bugClosesTheConnectionAndIsCounted() {
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            throw new IllegalStateException("planted by a test");
        });
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wire.receive(PING);

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.transport.faults")).isEqualTo(1);
        }
    }

    @Test
    void ioErrorIsNotCountedAsABug() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            wire.channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
            wire.channel.runPendingTasks();

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.transport.faults")).isZero();
            assertThat(wire.count("heddle.connections.reset")).isEqualTo(1);
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Test
    void clientWithoutConnectInTimeIsClosedAndCounted() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("10 0F 0004 'MQ'");
            wire.advance(Wire.CONNECT_TIMEOUT.minusMillis(1));
            assertThat(wire.channel.isActive()).isTrue();

            wire.advance(Duration.ofMillis(1));

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.connect.timeouts")).isEqualTo(1);
        }
    }

    @Test
    void theBytesOfAnUnfinishedPacketAreKnown() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V3_1_1)) {
            Connection connection = wire.sessions.only().connection();
            assertThat(connection.unfinishedBytes()).isZero();

            wire.receive("30 0A 0001 't'");
            assertThat(connection.unfinishedBytes()).isEqualTo(5);
            wire.receive("'1234'");
            assertThat(connection.unfinishedBytes()).isEqualTo(9);
            wire.receive("'567' C000");
            assertThat(connection.unfinishedBytes()).isZero();

            wire.receive("30 0A 0001");
            assertThat(connection.unfinishedBytes()).isEqualTo(4);
            wire.receive("'t1234567'");
            assertThat(connection.unfinishedBytes()).isZero();
        }
    }

    @Test
    void connectTimeoutIsRemovedAfterConnect() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V3_1_1)) {
            assertThat(wire.channel.pipeline().names()).doesNotContain("connectTimeout");
            wire.advance(Wire.CONNECT_TIMEOUT.multipliedBy(2));

            assertThat(wire.channel.isActive()).isTrue();
            assertThat(wire.count("heddle.connect.timeouts")).isZero();
        }
    }

    @Test
    void responsesOfOneTurnAreWrittenTogether() {
        RecordingSessions sessions =
                new RecordingSessions().thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wire.receive("C000 C000 C000");

            assertThat(wire.writes()).containsExactly("d000d000d000");
            assertThat(wire.count("heddle.packets.received", "type", "pingreq")).isEqualTo(3);
            assertThat(wire.count("heddle.packets.sent", "type", "pingresp")).isEqualTo(3);
            assertThat(wire.count("heddle.bytes.sent")).isEqualTo(5 + 6);
            assertThat(wire.count("heddle.bytes.received")).isEqualTo(16 + 6);
        }
    }

    @Test
    void payloadsAreCountedInBothDirections() {
        RecordingSessions sessions = new RecordingSessions().thatAnswer(Connection::send);
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wire.receive("30 {<t> 00 616263} 30 {<t> 00} C000");
            wire.sent();

            assertThat(wire.count("heddle.publish.bytes.received")).isEqualTo(3);
            assertThat(wire.count("heddle.publish.bytes.sent")).isEqualTo(3);
        }
    }

    @Test
    void closeWritesPendingOutputAndIsIdempotent() {
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            connection.send(PingRespPacket.INSTANCE);
            connection.close();
            connection.close();
            assertThat(connection.isOpen()).isFalse();
            assertThat(connection.send(PingRespPacket.INSTANCE)).isFalse();
        });
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wire.receive("C000 C000");

            assertThat(wire.sent()).isEqualTo("d000");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sessions.only().received()).hasSize(1);
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Test
    void timersOfTheEventLoopRunOnceAndCanBeCancelled() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            var loop = wire.sessions.only().connection().eventLoop();
            AtomicReference<String> ran = new AtomicReference<>("");
            long start = loop.nanoTime();
            loop.schedule(Duration.ofSeconds(1), () -> ran.updateAndGet(before -> before + "a"));
            loop.schedule(Duration.ofSeconds(1), () -> ran.updateAndGet(before -> before + "b"))
                    .cancel();

            wire.advance(Duration.ofSeconds(3));

            assertThat(ran.get()).isEqualTo("a");
            assertThat(loop.nanoTime() - start).isEqualTo(Duration.ofSeconds(3).toNanos());
        }
    }
}

package io.heddle.transport.pipeline;

import static io.heddle.transport.pipeline.WebSocketFrames.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.testkit.RecordingSessions;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each connection that the broker closes because of its client is a line that names the client. */
final class ConnectionIncidentsTest {
    private static final String ADDRESS = "address=/10.0.0.9:4711";

    @Test
    void aProtocolErrorNamesTheClientItsUserAndItsAddress() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("10 { <MQTT> 05 82 000A {} <c> <u> }");
            wire.receive("F1 00");

            assertThat(wire.log.only())
                    .startsWith(
                            "INFO Disconnected a client that violates the protocol: reason=malformed_packet, detail=")
                    .endsWith(", clientId=c, userName=u, " + ADDRESS + ", listener=tcp");
        }
    }

    /** Such as one in a PUBLISH that core has held behind a SUBSCRIBE. */
    @Test
    void aViolationThatCoreFindsInALaterTurnIsReportedLikeOthers() {
        RecordingSessions sessions = new RecordingSessions();
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            wire.channel
                    .eventLoop()
                    .execute(() -> sessions.only()
                            .connection()
                            .reject(new ProtocolException(ReasonCode.TOPIC_ALIAS_INVALID, "the alias has no topic")));

            assertThat(wire.sent())
                    .startsWith("e0")
                    .contains("94")
                    .contains(PacketBytes.hex("the alias".getBytes(UTF_8)));
            assertThat(wire.log.only())
                    .contains("reason=topic_alias_invalid, detail=the alias has no topic, clientId=c");
            assertThat(wire.count("heddle.protocol.errors", "reason", "topic_alias_invalid"))
                    .isOne();
            assertThat(wire.channel.isActive()).isFalse();
        }
    }

    @Test
    void aRefusalThatCoreHasLoggedHasNoOtherLine() {
        RecordingSessions sessions = new RecordingSessions();
        try (Wire wire = Wire.connected(sessions, MqttVersion.V3_1_1)) {
            wire.channel
                    .eventLoop()
                    .execute(() -> sessions.only()
                            .connection()
                            .reject(ProtocolException.reported(ReasonCode.QUOTA_EXCEEDED, "the message was refused")));

            assertThat(wire.sent())
                    .as("MQTT 3.1.1 has no DISCONNECT of the server")
                    .isEmpty();
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.count("heddle.protocol.errors", "reason", "quota_exceeded"))
                    .isOne();
            assertThat(wire.log.all()).isEmpty();
        }
    }

    @Test
    void aProtocolErrorBeforeConnectNamesTheAddress() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("C0 00");

            assertThat(wire.log.only())
                    .isEqualTo("INFO Disconnected a client that violates the protocol: reason=protocol_error,"
                            + " detail=the first packet is not CONNECT, " + ADDRESS + ", listener=tcp");
        }
    }

    @Test
    void anExceededLimitIsOneLineWithTheClient() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            wire.receive("30 FFFFFF7F");

            assertThat(wire.log.only())
                    .startsWith("INFO A client exceeds a limit")
                    .contains("setting=heddle.mqtt.maximum-packet-size")
                    .endsWith(", clientId=c, " + ADDRESS);
        }
    }

    @Test
    void aPublishThatIsTooLargeIsALineWithItsTopicAndItsSize() {
        for (MqttVersion version : MqttVersion.values()) {
            try (Wire wire = Wire.connected(new RecordingSessions(), version)) {
                wire.receive("30 FFFFFF7F 0007 'a/\"b c,'");

                assertThat(wire.log.only())
                        .contains(
                                "refused=a packet larger than this server accepts: bytes=268435460, topic=\"a/\\\"b c,\"")
                        .contains("setting=heddle.mqtt.maximum-packet-size");
            }
        }
    }

    @Test
    void anotherProtocolIsALineWithTheListener() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.receive("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));

            assertThat(wire.log.only())
                    .startsWith(
                            "INFO Connection closed because the client sent HTTP, but this port expects MQTT over TCP")
                    .endsWith(": " + ADDRESS + ", listener=tcp");
        }
    }

    @Test
    void anAddressThatIsNoTrustedProxyIsALine() {
        try (Wire wire = Wire.behindProxies(new RecordingSessions(), "10.0.0.8/32")) {
            assertThat(wire.log.only())
                    .startsWith("INFO Connection closed because its address is not among the trusted proxies")
                    .endsWith(": " + ADDRESS + ", listener=tcp");
        }
    }

    @Test
    void aRefusedRequestForAWebSocketIsALineWithTheRemedy() {
        try (Wire wire = Wire.ofWebSocket(new RecordingSessions(), WebSocketTest.endpoint())) {
            wire.receive(request("/wrong", WebSocketTest.MQTT).getBytes(UTF_8));

            assertThat(WebSocketTest.text(wire)).startsWith("HTTP/1.1 404");
            assertThat(wire.log.only())
                    .isEqualTo("INFO Connection closed because its HTTP request was refused"
                            + " (MQTT over WebSocket is at the path /mqtt.): " + ADDRESS + ", listener=ws");
            assertThat(wire.registry
                            .get("heddle.listener.refused")
                            .tag("reason", "http_request")
                            .counter()
                            .count())
                    .isOne();
        }
    }

    @Test
    void ordinaryConnectionsLeaveNoLines() {
        try (Wire wire = Wire.connected(new RecordingSessions(), MqttVersion.V5)) {
            wire.receive("C0 00");
            wire.receive("E0 00");

            assertThat(wire.log.all()).isEmpty();
        }
    }

    @Test
    void aConnectionWithoutConnectIsALine() {
        try (Wire wire = new Wire(new RecordingSessions())) {
            wire.advance(Wire.CONNECT_TIMEOUT);

            assertThat(wire.log.only())
                    .startsWith("INFO Connection closed because no CONNECT arrived within ")
                    .endsWith(" s: " + ADDRESS + ", listener=tcp");
        }
    }

    private static String causeOf(Consumer<Wire> end) {
        RecordingSessions sessions = new RecordingSessions();
        try (Wire wire = Wire.connected(sessions, MqttVersion.V5)) {
            end.accept(wire);
            var _ = wire.channel.close();
            wire.channel.runPendingTasks();
            return Objects.requireNonNull(sessions.only().lostBecause()).reason();
        }
    }

    @Test
    void theSessionLearnsWhyItsConnectionIsLost() {
        assertThat(causeOf(_ -> {})).isEqualTo("closed_without_disconnect");
        assertThat(causeOf(wire ->
                        wire.channel.pipeline().fireExceptionCaught(new IOException("Connection reset by peer"))))
                .isEqualTo("connection_reset");
        assertThat(causeOf(wire -> wire.receive("F1 00"))).isEqualTo("malformed_packet");
        assertThat(causeOf(wire -> wire.channel.pipeline().fireExceptionCaught(new IllegalStateException("bug"))))
                .isEqualTo("internal_error");
    }
}

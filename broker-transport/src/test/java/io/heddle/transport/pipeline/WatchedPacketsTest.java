package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.RecordingWatcher;
import io.heddle.transport.testkit.RecordingSessions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each packet of a connection passes the watcher, in both directions. */
final class WatchedPacketsTest {
    private static final String CONNECT = "10 { <MQTT> 05 82 000A {} <c> <u> }";

    private final RecordingWatcher watcher = new RecordingWatcher();

    private Wire wire(RecordingSessions sessions) {
        Wire wire = new Wire(sessions);
        wire.incidents.events().watch(watcher);
        return wire;
    }

    @Test
    void aMessageOfQos2IsSeenInBothDirections() {
        RecordingSessions sessions = new RecordingSessions().thatAnswer((connection, packet) -> {
            switch (packet) {
                case PublishPacket publish ->
                    connection.send(new PubRecPacket(publish.packetId(), ReasonCode.SUCCESS, null, List.of()));
                case PubRelPacket release -> {
                    connection.send(new PubCompPacket(release.packetId(), ReasonCode.SUCCESS, null, List.of()));
                }
                default -> connection.send(PingRespPacket.INSTANCE);
            }
        });
        try (Wire wire = wire(sessions)) {
            wire.receive(CONNECT);
            wire.receive("34 { <a/b> 0007 {} }");
            wire.receive("62 { 0007 }");
            wire.receive("C0 00");
            wire.sent();

            assertThat(watcher.seen())
                    .containsExactly(
                            "in Connect c/u",
                            "out ConnAck c/u",
                            "in Publish a/b c/u",
                            "out PubRec c/u",
                            "in PubRel c/u",
                            "out PubComp c/u",
                            "in PingReq c/u",
                            "out PingResp c/u");
        }
    }

    /** Core shows it when it has found the topic. */
    @Test
    void aPublishWithAnAliasOnlyIsLeftToCore() {
        try (Wire wire = wire(new RecordingSessions())) {
            wire.receive(CONNECT);
            wire.receive("30 { <> { 23 0001 } }");

            assertThat(watcher.seen()).containsExactly("in Connect c/u", "out ConnAck c/u");
        }
    }

    @Test
    void aViolationIsShownWithItsReason() {
        try (Wire wire = wire(new RecordingSessions())) {
            wire.receive(CONNECT);
            wire.receive("F1 00");

            assertThat(watcher.seen())
                    .containsExactly(
                            "in Connect c/u",
                            "out ConnAck c/u",
                            "refused PROTOCOL malformed_packet c/u",
                            "out Disconnect c/u");
        }
    }

    @Test
    void anotherProtocolIsShownAsARefusedConnection() {
        try (Wire wire = wire(new RecordingSessions())) {
            wire.receive("47 45 54 20 2F 20 48 54 54 50");

            assertThat(watcher.seen()).singleElement().asString().startsWith("refused CONNECTION foreign_protocol");
        }
    }

    @Test
    void aPacketOfAClosedConnectionIsNotSent() {
        RecordingSessions sessions = new RecordingSessions();
        try (Wire wire = wire(sessions)) {
            wire.receive(CONNECT);
            watcher.seen();
            sessions.only().connection().close();
            sessions.only().connection().send(PingRespPacket.INSTANCE);

            assertThat(watcher.seen()).isEmpty();
        }
    }
}

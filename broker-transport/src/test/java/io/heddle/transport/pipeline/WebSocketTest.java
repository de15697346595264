package io.heddle.transport.pipeline;

import static io.heddle.transport.pipeline.WebSocketFrames.BINARY;
import static io.heddle.transport.pipeline.WebSocketFrames.CLOSE;
import static io.heddle.transport.pipeline.WebSocketFrames.CONTINUATION;
import static io.heddle.transport.pipeline.WebSocketFrames.FINAL;
import static io.heddle.transport.pipeline.WebSocketFrames.PING;
import static io.heddle.transport.pipeline.WebSocketFrames.TEXT;
import static io.heddle.transport.pipeline.WebSocketFrames.frame;
import static io.heddle.transport.pipeline.WebSocketFrames.join;
import static io.heddle.transport.pipeline.WebSocketFrames.packets;
import static io.heddle.transport.pipeline.WebSocketFrames.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import io.heddle.transport.codec.PacketBytes;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.testkit.RecordingSessions;
import io.heddle.transport.websocket.AllowedOrigins;
import io.heddle.transport.websocket.WebSocketEndpoint;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** MQTT over WebSocket, through the whole pipeline. */
final class WebSocketTest {
    private static final Limit FRAMES = new Limit("the frame size", 200_000);
    static final String CONNECT = "10 { <MQTT> 05 02 000A {} <c> }";
    private static final String CONNACK = "8205" + "2003000000";
    static final String MQTT = "Sec-WebSocket-Protocol: mqtt";

    static WebSocketEndpoint endpoint(String... trusted) {
        return endpoint(List.of("/mqtt"), Set.of("https://example.org"), trusted);
    }

    static WebSocketEndpoint endpoint(List<String> paths, Set<String> origins, String... trusted) {
        return new WebSocketEndpoint(
                paths,
                new AllowedOrigins(origins, "the setting of origins"),
                FRAMES,
                TrustedNetworks.parse(List.of(trusted)),
                Duration.ofSeconds(2));
    }

    static Wire wire() {
        return Wire.ofWebSocket(new RecordingSessions(), endpoint());
    }

    private static Wire connected() {
        return connected(new RecordingSessions());
    }

    private static Wire connected(RecordingSessions sessions) {
        Wire wire = Wire.ofWebSocket(sessions, endpoint());
        wire.receive(request("/mqtt", MQTT).getBytes(UTF_8));
        wire.receive(packets(CONNECT));
        assertThat(wire.sent()).endsWith(CONNACK);
        return wire;
    }

    static String text(Wire wire) {
        return new String(ByteBufUtil.decodeHexDump(wire.sent()), UTF_8);
    }

    static List<MqttPacket> received(Wire wire) {
        wire.channel.runPendingTasks();
        return wire.sessions.only().received();
    }

    @Conformance(
            value = {"MQTT-6.0.0-1", "MQTT-6.0.0-2"},
            mqtt311 = {"MQTT-6.0.0-1", "MQTT-6.0.0-2"})
    @Test
    void packetsNeedNotBeAlignedToFrames() {
        try (Wire wire = connected()) {
            byte[] bytes = PacketBytes.of("C000 30 { <a> {} 'x' } C000 30 { <b> {} 'y' } C000");
            wire.receive(frame(FINAL | BINARY, Arrays.copyOf(bytes, 5)));
            wire.receive(frame(BINARY, Arrays.copyOfRange(bytes, 5, 6)));
            wire.receive(frame(CONTINUATION));
            wire.receive(frame(FINAL | CONTINUATION, Arrays.copyOfRange(bytes, 6, bytes.length)));

            assertThat(received(wire)).hasSize(5).first().isEqualTo(PingReqPacket.INSTANCE);
        }
    }

    /** Each byte may arrive by itself, and several frames at once. */
    @Test
    void framesNeedNotBeAlignedToReads() {
        Random random = new Random(7);
        for (int round = 0; round < 50; round++) {
            try (Wire wire = connected()) {
                byte[] payload = new byte[130 + random.nextInt(350)];
                random.nextBytes(payload);
                byte[] packet = join(
                        PacketBytes.of("30"), remainingLength(payload.length + 4), PacketBytes.of("<a> 00"), payload);
                int cut = random.nextInt(packet.length);
                byte[] stream = join(
                        frame(BINARY, Arrays.copyOf(packet, cut)),
                        frame(FINAL | PING, (byte) 'p'),
                        frame(FINAL | CONTINUATION, Arrays.copyOfRange(packet, cut, packet.length)),
                        packets("C000"));
                for (int at = 0; at < stream.length; ) {
                    int size = Math.min(stream.length - at, 1 + random.nextInt(random.nextBoolean() ? 7 : 300));
                    wire.receive(Arrays.copyOfRange(stream, at, at + size));
                    at += size;
                }

                List<MqttPacket> received = received(wire);
                assertThat(received).hasSize(2);
                assertThat(((PublishPacket) received.getFirst()).payload().array())
                        .isEqualTo(payload);
                assertThat(wire.sent()).contains("8a0170");
            }
        }
    }

    private static byte[] remainingLength(int length) {
        return new byte[] {(byte) (0x80 | length), (byte) (length >> 7)};
    }

    @Conformance(value = "MQTT-6.0.0-1", mqtt311 = "MQTT-6.0.0-1")
    @Test
    void theOutputOfATurnIsOneBinaryFrame() {
        RecordingSessions sessions =
                new RecordingSessions().thatAnswer((connection, _) -> connection.send(PingRespPacket.INSTANCE));
        try (Wire wire = connected(sessions)) {
            wire.receive(packets("C000 C000 C000"));
            assertThat(wire.writes()).containsExactly("8206" + "d000d000d000");

            wire.receive(packets("C000 ".repeat(100)));
            assertThat(wire.writes()).containsExactly("827e00c8" + "d000".repeat(100));
        }
    }

    @Test
    void aLargePayloadIsSeveralFrames() {
        try (Wire wire = connected()) {
            wire.sessions.only().connection().send(OutputLimitsTest.message(QoS.AT_MOST_ONCE, 100_000));

            assertThat(wire.sent())
                    .isEqualTo("8208" + "30a48d0600016100"
                            + ("827f" + "0000000000010000" + "00".repeat(65_536))
                            + ("827e" + "86a0" + "00".repeat(34_464)));
        }
    }

    @Test
    void framesThatWaitMakeTheConnectionUnwritable() {
        try (Wire wire = connected()) {
            Connection connection = wire.sessions.only().connection();
            assertThat(connection.takesOutput()).isTrue();
            connection.send(OutputLimitsTest.message(QoS.AT_MOST_ONCE, 1_100));
            assertThat(connection.isWritable()).isFalse();
            connection.send(OutputLimitsTest.message(QoS.AT_MOST_ONCE, 3_000));
            assertThat(connection.send(OutputLimitsTest.message(QoS.AT_MOST_ONCE, 1)))
                    .isFalse();

            assertThat(wire.writes()).hasSize(1);
            assertThat(connection.isWritable()).isTrue();
            assertThat(connection.takesOutput()).isTrue();
            assertThat(wire.count("heddle.bytes.sent")).isEqualTo(5 + 1_107 + 3_007);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        text                      | 81 81 00000000 41                     | 03eb
        unmasked                  | 82 02 c000                            | 03ea
        extension                 | c2 82 00000000 c000                   | 03ea
        reserved opcode           | 83 82 00000000 c000                   | 03ea
        fragmented ping           | 09 80 00000000                        | 03ea
        long ping                 | 89 fe 0080 00000000                   | 03ea
        continuation of nothing   | 80 82 00000000 c000                   | 03ea
        message within a message  | 02 80 00000000 82 80 00000000         | 03ea
        length not the shortest   | 82 fe 0001 00000000 c0                | 03ea
        negative length           | 82 ff 8000000000000000 00000000       | 03ea
        too large                 | 82 ff 0000000000030d41 00000000       | 03f1
        close with one byte       | 88 81 00000000 03                     | 03ea
        """)
    void violationsCloseTheConnectionWithAStatus(String name, String bytes, String status) {
        try (Wire wire = connected()) {
            wire.receive(ByteBufUtil.decodeHexDump(bytes.replace(" ", "")));

            assertThat(wire.sent()).as(name).endsWith("8802" + status);
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
            assertThat(wire.count("heddle.transport.faults")).isZero();
        }
    }

    @Test
    void aFrameThatIsTooLargeIsARefusalByItsSetting() {
        try (Wire wire = connected()) {
            wire.receive(ByteBufUtil.decodeHexDump("82ff0000000000030d4100000000"));

            assertThat(wire.count("heddle.limits.refusals", "setting", FRAMES.setting()))
                    .isEqualTo(1);
        }
    }

    @Test
    void aViolationOfMqttIsAnsweredInAFrame() {
        try (Wire wire = connected()) {
            wire.receive(packets("C100"));

            assertThat(wire.sent()).matches("82..e0..81.*8802" + "03ea");
            assertThat(wire.channel.isActive()).isFalse();
        }
    }

    @Test
    void textBeforeConnectIsRefused() {
        try (Wire wire = wire()) {
            wire.receive(request("/mqtt", MQTT).getBytes(UTF_8));
            wire.receive(frame(FINAL | TEXT, (byte) 'x'));

            assertThat(wire.sent()).endsWith("880203eb");
            assertThat(wire.sessions.attempts()).isEmpty();
        }
    }

    /** The DISCONNECT before the Close frame counts, even if it waits for the session. */
    @Test
    void packetsBeforeTheCloseFrameAreProcessed() {
        RecordingSessions sessions = new RecordingSessions().thatWait();
        try (Wire wire = Wire.ofWebSocket(sessions, endpoint())) {
            wire.receive(request("/mqtt", MQTT).getBytes(UTF_8));
            wire.receive(join(packets(CONNECT + "C000"), packets("C000"), frame(FINAL | CLOSE, (byte) 3, (byte) 0xE9)));
            assertThat(wire.sent()).endsWith("8802" + "03e9");
            sessions.only().accept();
            wire.channel.runPendingTasks();

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(sessions.only().received()).hasSize(2);
            assertThat(sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @Test
    void answersPrecedeTheCloseFrame() {
        RecordingSessions sessions =
                new RecordingSessions().thatAnswer((connection, _) -> connection.send(PingRespPacket.INSTANCE));
        try (Wire wire = connected(sessions)) {
            wire.receive(join(packets("C000"), packets("C000"), frame(FINAL | CLOSE)));

            assertThat(wire.sent()).isEqualTo("8204" + "d000d000" + "8802" + "03e8");
            assertThat(wire.channel.isActive()).isFalse();
        }
    }

    @Test
    void noMessageFollowsTheCloseFrame() {
        try (Wire wire = connected()) {
            List<ChannelPromise> written = new ArrayList<>();
            wire.channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
                @Override
                public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                    // The client does not read, so the last frame waits.
                    written.add(promise);
                    var _ = context.write(message, context.newPromise());
                }
            });
            wire.receive(frame(FINAL | CLOSE));
            Connection connection = wire.sessions.only().connection();

            assertThat(connection.send(OutputLimitsTest.message(QoS.AT_MOST_ONCE, 1)))
                    .isFalse();
            assertThat(wire.sent()).isEqualTo("8802" + "03e8");
            var _ = written.getLast().setSuccess();
            assertThat(wire.channel.isActive()).isFalse();
        }
    }

    @Test
    void packetsThatWaitForTheirTurnAreProcessedBeforeTheEnd() {
        try (Wire wire = connected()) {
            int more = Wire.LIMITS.packetsPerTurn() * 3;
            wire.receive(join(packets("C000".repeat(more)), frame(FINAL | CLOSE)));
            wire.advance(Duration.ofMillis(1));
            wire.advance(Duration.ofMillis(1));
            wire.advance(Duration.ofMillis(1));

            assertThat(received(wire)).hasSize(more);
            assertThat(wire.sent()).endsWith("8802" + "03e8");
            assertThat(wire.sessions.only().lostCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 500})
    void pingsOfOneReadHaveOneAnswer(int pings) {
        try (Wire wire = connected()) {
            byte[][] frames = new byte[pings][];
            Arrays.setAll(frames, i -> frame(FINAL | PING, (byte) i));
            wire.receive(join(frames));

            assertThat(wire.sent()).isEqualTo("8a01" + PacketBytes.hex(new byte[] {(byte) (pings - 1)}));
        }
    }

    @Test
    void theServerClosesWithAFrame() {
        try (Wire wire = connected()) {
            wire.sessions.only().connection().close();

            assertThat(wire.sent()).isEqualTo("8802" + "03e8");
            assertThat(wire.channel.isActive()).isFalse();
        }
    }
}

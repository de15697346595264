package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.Conformance;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MqttDecoderTest {
    private static final String PACKAGE = "io.heddle.transport.codec.GoldenPackets#";

    @Conformance(
            value = {"MQTT-1.5.4-1", "MQTT-2.2.1-2", "MQTT-2.2.2-1", "MQTT-3.1.2-9", "MQTT-3.1.3-1"},
            mqtt311 = "MQTT-3.1.3-1")
    @ParameterizedTest
    @MethodSource(PACKAGE + "validOfClients")
    void validBytesAreDecodedToTheirPacket(Golden row) {
        try (Decoding decoding = Decoding.of(row).write(row.bytes())) {
            assertThat(decoding.faults()).isEmpty();
            assertThat(decoding.packets()).containsExactly(row.packet());
        }
    }

    @Conformance(
            value = {
                "MQTT-1.5.4-1",
                "MQTT-1.5.4-2",
                "MQTT-1.5.5-1",
                "MQTT-2.1.3-1",
                "MQTT-2.2.1-3",
                "MQTT-2.2.2-1",
                "MQTT-3.1.0-1",
                "MQTT-3.1.0-2",
                "MQTT-3.1.2-3",
                "MQTT-3.1.2-11",
                "MQTT-3.1.2-12",
                "MQTT-3.1.3-4",
                "MQTT-3.1.4-1",
                "MQTT-3.3.1-2",
                "MQTT-3.3.1-4",
                "MQTT-3.3.2-1",
                "MQTT-3.3.2-2",
                "MQTT-3.3.2-8",
                "MQTT-3.3.2-14",
                "MQTT-3.3.4-6",
                "MQTT-3.4.2-1",
                "MQTT-3.6.1-1",
                "MQTT-3.6.2-1",
                "MQTT-3.8.1-1",
                "MQTT-3.8.3-1",
                "MQTT-3.8.3-2",
                "MQTT-3.8.3-4",
                "MQTT-3.8.3-5",
                "MQTT-3.10.3-2",
                "MQTT-3.14.2-1",
                "MQTT-3.15.1-1",
                "MQTT-3.15.2-1",
                "MQTT-4.7.0-1",
                "MQTT-4.7.3-1"
            },
            mqtt311 = {
                "MQTT-1.5.3-1",
                "MQTT-1.5.3-2",
                "MQTT-2.2.2-2",
                "MQTT-2.3.1-1",
                "MQTT-3.1.0-2",
                "MQTT-3.1.2-2",
                "MQTT-3.1.2-3",
                "MQTT-3.1.2-9",
                "MQTT-3.1.2-15",
                "MQTT-3.1.2-19",
                "MQTT-3.1.2-22",
                "MQTT-3.1.3-3",
                "MQTT-3.1.4-1",
                "MQTT-3.3.1-4",
                "MQTT-3.3.2-2",
                "MQTT-3.6.1-1",
                "MQTT-3.8.1-1",
                "MQTT-3.8.3-3",
                "MQTT-3.10.1-1",
                "MQTT-3.14.1-1",
                "MQTT-4.7.1-1",
                "MQTT-4.7.3-1"
            })
    @ParameterizedTest
    @MethodSource(PACKAGE + "violations")
    void violationIsRejectedWithItsReason(Golden row) {
        try (Decoding decoding = Decoding.of(row).write(row.bytes())) {
            assertThat(decoding.packets()).isEmpty();
            assertThat(decoding.onlyFault().reason()).isEqualTo(row.error());
            if (decoding.decoder().version() != null) {
                assertThat(decoding.decoder().version()).isEqualTo(row.version());
            }
        }
    }

    @ParameterizedTest
    @MethodSource(PACKAGE + "violations")
    void nothingIsDecodedAfterAViolation(Golden row) {
        try (Decoding decoding = Decoding.of(row)) {
            decoding.write(row.bytes()).write(row.bytes()).write(GoldenPackets.connect(row.version()));

            assertThat(decoding.packets()).isEmpty();
            assertThat(decoding.faults()).hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource(PACKAGE + "validOfClients")
    void packetMayArriveInAnyTwoPieces(Golden row) {
        byte[] bytes = row.bytes();
        for (int split = 1; split < bytes.length; split++) {
            try (Decoding decoding = Decoding.of(row)) {
                decoding.write(Arrays.copyOf(bytes, split));
                assertThat(decoding.packets()).as("before byte %d", split).isEmpty();
                decoding.write(Arrays.copyOfRange(bytes, split, bytes.length));

                assertThat(decoding.packets()).as("split at byte %d", split).containsExactly(row.packet());
            }
        }
    }

    @ParameterizedTest
    @MethodSource(PACKAGE + "ofClients")
    void packetMayArriveByteByByte(Golden row) {
        try (Decoding decoding = Decoding.of(row)) {
            for (byte next : row.bytes()) {
                decoding.write(next);
            }
            if (row.packet() != null) {
                assertThat(decoding.packets()).containsExactly(row.packet());
            } else {
                // One byte is not enough to recognise HTTP and TLS, but such bytes are rejected anyway.
                assertThat(decoding.packets()).isEmpty();
                assertThat(decoding.faults()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(PACKAGE + "validOfClients")
    void truncatedPacketNeverCausesABug(Golden row) {
        byte[] bytes = row.bytes();
        for (int length = 2; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            if (bytes[1] < 0) {
                return;
            }
            cut[1] = (byte) (length - 2);
            try (Decoding decoding = Decoding.of(row).write(cut)) {
                if (decoding.packets().isEmpty()) {
                    assertThat(decoding.onlyFault().reason().isError()).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void packetsOfOneReadAreDecodedInOrder(MqttVersion version) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<MqttPacket> expected = new ArrayList<>();
        GoldenPackets.valid()
                .filter(row -> row.version() == version && row.phase() == Golden.Phase.CLIENT)
                .forEach(row -> {
                    bytes.writeBytes(row.bytes());
                    expected.add(row.packet());
                });
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.CLIENT, version)) {
            decoding.write(bytes.toByteArray());

            assertThat(decoding.packets()).isEqualTo(expected);
            assertThat(decoding.receivedBytes()).isEqualTo(bytes.size());
        }
    }

    @Test
    void packetsBeforeAViolationAreStillDelivered() {
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.CLIENT, MqttVersion.V5)) {
            decoding.write(PacketBytes.of("C000 C000 C100 C000"));

            assertThat(decoding.packets()).containsExactly(PingReqPacket.INSTANCE, PingReqPacket.INSTANCE);
            assertThat(decoding.onlyFault().reason()).isEqualTo(ReasonCode.MALFORMED_PACKET);
        }
    }

    @Test
    void oversizePacketAllocatesNothing() {
        MqttDecoder decoder = new MqttDecoder(
                GoldenPackets.LIMITS,
                bytes -> {},
                new TopicNames(),
                new UnfinishedPackets(Long.MAX_VALUE, new SimpleMeterRegistry()),
                MqttDecoder.Gate.OPEN);
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        channel.writeInbound(Unpooled.wrappedBuffer(GoldenPackets.connect(MqttVersion.V5)));
        channel.config().setAllocator(noMemory());

        // The header of a packet of 256 MiB.
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(PacketBytes.of("30 FF FF FF 7F")));

        try {
            channel.checkException();
            fail("the packet was not rejected");
        } catch (io.heddle.core.mqtt.ProtocolException fault) {
            assertThat(fault.reason()).isEqualTo(ReasonCode.PACKET_TOO_LARGE);
        }
    }

    @Test
    void packetOfExactlyTheLimitIsAccepted() {
        byte[] payload = new byte[GoldenPackets.LIMITS.maximumPacketBytes() - 3 - 3 - 1];
        String packet = "30 { <a> {} '" + new String(payload, java.nio.charset.StandardCharsets.US_ASCII) + "' }";
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.CLIENT, MqttVersion.V5)) {
            decoding.write(PacketBytes.of(packet));

            assertThat(decoding.packets()).hasSize(1);
        }
    }

    @Test
    void repeatedTopicIsParsedOnce() {
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.CLIENT, MqttVersion.V3_1_1)) {
            decoding.write(PacketBytes.of("30 { <a/b> } 30 { <a/b> } 30 { <a/c> } 30 { <é> } 30 { 0001 E9 }"));

            List<MqttPacket> packets = decoding.packets();
            assertThat(topic(packets.get(1))).isSameAs(topic(packets.get(0)));
            assertThat(String.valueOf(topic(packets.get(2)))).isEqualTo("a/c");
            assertThat(String.valueOf(topic(packets.get(3)))).isEqualTo("é");
            // Latin-1 must not be mistaken for the cached character.
            assertThat(decoding.onlyFault().reason()).isEqualTo(ReasonCode.MALFORMED_PACKET);
        }
    }

    @Test
    void httpAndTlsAreReportedByName() {
        try (Decoding http = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.FIRST, MqttVersion.V5);
                Decoding tls = Decoding.of(GoldenPackets.LIMITS, Golden.Phase.FIRST, MqttVersion.V5)) {
            http.write(PacketBytes.of("'POST /mqtt HTTP/1.1'"));
            tls.write(PacketBytes.of("16 03 01 0200 01"));

            assertThat(http.onlyFault()).hasMessageContaining("HTTP");
            assertThat(ForeignProtocol.isReportedBy(http.onlyFault())).isTrue();
            assertThat(tls.onlyFault()).hasMessageContaining("TLS");
            assertThat(ForeignProtocol.isReportedBy(tls.onlyFault())).isTrue();
        }
    }

    private static Object topic(MqttPacket packet) {
        return packet instanceof PublishPacket publish && publish.topic() != null ? publish.topic() : "none";
    }

    private static ByteBufAllocator noMemory() {
        return (ByteBufAllocator) java.lang.reflect.Proxy.newProxyInstance(
                MqttDecoderTest.class.getClassLoader(),
                new Class<?>[] {ByteBufAllocator.class},
                (proxy, method, args) -> {
                    if (method.getReturnType() == ByteBuf.class) {
                        throw new AssertionError("memory was allocated: " + method.getName());
                    }
                    return method.invoke(ByteBufAllocator.DEFAULT, args);
                });
    }
}

package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.testkit.Conformance;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class MqttEncoderTest {
    private static final List<UserProperty> USER_PROPERTIES = List.of(new UserProperty("k", "v"));

    @Conformance(
            value = {"MQTT-2.1.3-1", "MQTT-2.2.1-2", "MQTT-2.2.2-1", "MQTT-3.2.2-1"},
            mqtt311 = {"MQTT-2.2.2-1", "MQTT-2.3.1-5"})
    @ParameterizedTest
    @MethodSource("io.heddle.transport.codec.GoldenPackets#valid")
    void packetsAreEncodedToTheirGoldenBytes(Golden row) {
        if (row.canonical()) {
            byte[] encoded = ClientPackets.encode(Objects.requireNonNull(row.packet()), row.version());

            assertThat(PacketBytes.hex(encoded)).isEqualTo(PacketBytes.hex(row.bytes()));
        }
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.codec.GoldenPackets#valid")
    void bufferGrowsByExactlyTheSizeOfAPacketOfTheServer(Golden row) {
        MqttPacket packet = Objects.requireNonNull(row.packet());
        ByteBuf out = Unpooled.buffer(0);
        if (ClientPackets.areSentBy(packet)) {
            assertThatThrownBy(() -> unlimited(row.version()).encode(packet, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("only clients send");
            assertThat(out.readableBytes()).isZero();
        } else {
            int size = unlimited(row.version()).encode(packet, out);

            assertThat(out.readableBytes()).isEqualTo(size);
            assertThat(out.capacity()).isLessThanOrEqualTo(Math.max(64, Integer.highestOneBit(size) * 2));
        }
        out.release();
    }

    @Conformance(mqtt311 = "MQTT-3.9.3-2")
    @ParameterizedTest
    @EnumSource(
            value = MqttVersion.class,
            names = {"V3_1", "V3_1_1"})
    void everyReasonCodeHasAReturnCodeInMqtt3(MqttVersion version) {
        for (ReasonCode reason : ReasonCode.values()) {
            if (reason.isError()) {
                String connAck = encode(
                        unlimited(version), new ConnAckPacket(false, reason, ConnAckProperties.ofReasonString("why")));
                assertThat(connAck).matches("2002000[1-5]");
                assertThat(encode(unlimited(version), new SubAckPacket(1, "why", USER_PROPERTIES, List.of(reason))))
                        .isEqualTo("9003000180");
            }
        }
    }

    @Conformance({"MQTT-3.4.2-2", "MQTT-3.4.2-3", "MQTT-3.1.2-24"})
    @Test
    void reasonStringAndUserPropertiesAreOmittedIfThePacketWouldBeTooLarge() {
        MqttPacket answer = new PubAckPacket(1, ReasonCode.QUOTA_EXCEEDED, "no", USER_PROPERTIES);

        assertThat(encode(limited(18, true), answer))
                .isEqualTo(PacketBytes.hex(PacketBytes.of("40 { 0001 97 { 1F <no> 26 <k> <v> } }")));
        assertThat(encode(limited(17, true), answer))
                .isEqualTo(PacketBytes.hex(PacketBytes.of("40 { 0001 97 { 1F <no> } }")));
        assertThat(encode(limited(10, true), answer)).isEqualTo("4003000197");
        assertThat(encode(limited(4, true), answer)).isEqualTo("too large");
    }

    @Conformance("MQTT-3.1.2-29")
    @Test
    void reasonStringAndUserPropertiesAreOmittedForAClientThatDeclinesThem() {
        MqttEncoder encoder = limited(1000, false);

        assertThat(encode(encoder, new PubAckPacket(1, ReasonCode.QUOTA_EXCEEDED, "no", USER_PROPERTIES)))
                .isEqualTo("4003000197");
        assertThat(encode(encoder, new SubAckPacket(1, "no", USER_PROPERTIES, List.of(ReasonCode.SUCCESS))))
                .isEqualTo("900400010000");
        // CONNACK and DISCONNECT may carry it nevertheless [MQTT-3.1.2-29].
        assertThat(encode(encoder, DisconnectPacket.of(ReasonCode.PROTOCOL_ERROR, "no")))
                .isEqualTo(PacketBytes.hex(PacketBytes.of("E0 { 82 { 1F <no> } }")));
        assertThat(encode(encoder, new ConnAckPacket(false, ReasonCode.BANNED, ConnAckProperties.ofReasonString("no"))))
                .isEqualTo(PacketBytes.hex(PacketBytes.of("20 { 00 8A { 1F <no> } }")));
    }

    @Conformance("MQTT-3.1.2-24")
    @Test
    void userPropertiesOfAPublishAreNeverOmitted() {
        MqttPacket message = new PublishPacket(
                TopicName.parse("a", 1),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                new PublishProperties(PublishProperties.NO_EXPIRY, null, null, null, null, USER_PROPERTIES),
                List.of(),
                BinaryData.EMPTY);

        assertThat(encode(limited(13, false), message))
                .isEqualTo(PacketBytes.hex(PacketBytes.of("30 { <a> { 26 <k> <v> } }")));
        assertThat(encode(limited(12, false), message)).isEqualTo("too large");
    }

    @Test
    void textTooLongForAPacketThrowsAndWritesNothing() {
        ByteBuf out = Unpooled.buffer();
        MqttPacket packet = DisconnectPacket.of(ReasonCode.PROTOCOL_ERROR, "x".repeat(65_536));

        assertThatThrownBy(() -> unlimited(MqttVersion.V5).encode(packet, out))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.readableBytes()).isZero();
        out.release();
    }

    @Conformance("MQTT-1.5.5-1")
    @Test
    void variableByteIntegersHaveTheirShortestEncoding() {
        int[] values = {0, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, 268_435_455};
        String[] bytes = {"00", "7f", "8001", "ff7f", "808001", "ffff7f", "80808001", "ffffff7f"};
        for (int i = 0; i < values.length; i++) {
            ByteBuf out = Unpooled.buffer();
            VariableByteInteger.write(values[i], out);
            assertThat(io.netty.buffer.ByteBufUtil.hexDump(out)).isEqualTo(bytes[i]);
            assertThat(VariableByteInteger.size(values[i])).isEqualTo(out.readableBytes());
            out.release();
        }
        assertThatThrownBy(() -> VariableByteInteger.size(268_435_456)).isInstanceOf(IllegalArgumentException.class);
    }

    private static MqttEncoder unlimited(MqttVersion version) {
        return new MqttEncoder(version, ConnectProperties.NONE);
    }

    private static MqttEncoder limited(long maximumPacketSize, boolean problemInformation) {
        return new MqttEncoder(
                MqttVersion.V5,
                new ConnectProperties(
                        0, 65_535, maximumPacketSize, 0, false, problemInformation, List.of(), null, null));
    }

    private static String encode(MqttEncoder encoder, MqttPacket packet) {
        ByteBuf out = Unpooled.buffer();
        try {
            int size = encoder.encode(packet, out);
            if (size == MqttEncoder.TOO_LARGE) {
                assertThat(out.readableBytes()).isZero();
                return "too large";
            }
            return io.netty.buffer.ByteBufUtil.hexDump(out);
        } finally {
            out.release();
        }
    }
}

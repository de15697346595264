package io.heddle.perf.load.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PacketReaderTest {
    private static final int CAPACITY = 4096;

    private static ByteBuffer bytes(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return ByteBuffer.allocateDirect(CAPACITY).put(bytes).flip();
    }

    private static Recorded read(MqttVersion version, ByteBuffer in) {
        Recorded recorded = new Recorded();
        PacketReader.read(in, version, recorded);
        return recorded;
    }

    @ParameterizedTest
    @CsvSource({
        "V3_1_1, 20 02 00 00, 'ConnAck[code=0, sessionPresent=false, receiveMaximum=65535, maximumQos=2,"
                + " serverKeepAliveSeconds=-1]'",
        "V3_1_1, 20 02 01 05, 'ConnAck[code=5, sessionPresent=true, receiveMaximum=65535, maximumQos=2,"
                + " serverKeepAliveSeconds=-1]'",
        "V5, 20 15 00 00 12 12 00 02 6964 21 0010 24 01 13 001E 27 00010000, 'ConnAck[code=0, sessionPresent=false,"
                + " receiveMaximum=16, maximumQos=1, serverKeepAliveSeconds=30]'",
        "V5, 20 0F 00 00 0C 26 0001 61 0002 6263 24 00 25 00, 'ConnAck[code=0, sessionPresent=false,"
                + " receiveMaximum=65535, maximumQos=0, serverKeepAliveSeconds=-1]'",
        "V3_1_1, 40 02 01 02, type 4 id 258 reason 0",
        "V5, 40 04 01 02 10 00, type 4 id 258 reason 16",
        "V5, 50 03 00 07 97, type 5 id 7 reason 151",
        "V3_1_1, 62 02 00 07, type 6 id 7 reason 0",
        "V3_1_1, 70 02 00 07, type 7 id 7 reason 0",
        "V3_1_1, 90 03 00 01 02, 'SUBACK id 1 codes [2]'",
        "V5, 90 04 00 01 00 87, 'SUBACK id 1 codes [135]'",
        "V3_1_1, D0 00, PINGRESP",
        "V5, E0 02 8E 00, DISCONNECT reason 142",
        "V5, E0 00, DISCONNECT reason 0"
    })
    void readsAllPacketsOfABroker(MqttVersion version, String hex, String expected) {
        ByteBuffer in = bytes(hex);
        assertThat(read(version, in).packets).containsExactly(expected);
        assertThat(in.hasRemaining()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void readsPublishSplitAtAnyByte(MqttVersion version) {
        for (int qos = 0; qos <= 2; qos++) {
            // More than 127 bytes: a length of two.
            PublishTemplate template = new PublishTemplate(version, "a/b", qos, false, new byte[200]);
            ByteBuffer written = ByteBuffer.allocateDirect(CAPACITY);
            template.write(written, 300, -5, 7, 1L << 40, 123_456_789);
            assertThat(written.position()).isEqualTo(template.bytes());
            for (int end = 0; end < template.bytes(); end++) {
                ByteBuffer first = written.duplicate().position(0).limit(end);
                assertThat(read(version, first).packets).isEmpty();
                assertThat(first.position()).isZero();
            }
            assertThat(read(version, written.flip()).packets)
                    .containsExactly("PUBLISH qos " + qos + " id " + (qos == 0 ? 0 : 300)
                            + " run -5 publisher 7 sequence " + (1L << 40) + " intended 123456789 bytes 200");
        }
    }

    @Test
    void readsSeveralPacketsAndLeavesAnIncompleteOne() {
        ByteBuffer in = bytes("D0 00 40 02 00 01 40 02 00");
        assertThat(read(MqttVersion.V3_1_1, in).packets).containsExactly("PINGRESP", "type 4 id 1 reason 0");
        assertThat(in.position()).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "30 01 00", // PUBLISH without a topic
                "30 03 00 05 61", // the topic reaches beyond its packet
                "32 04 00 01 61 00", // half a packet identifier
                "36 07 00 01 61 00 01 00 00", // QoS 3
                "30 04 00 01 61 7F", // properties reach beyond their packet
                "40 01 00", // half a packet identifier
                "20 01 00", // CONNACK without a code
                "20 05 00 00 02 21 00", // half a receive maximum
                "90 03 00 01 00", // SUBACK without a code
                "10 00", // CONNECT, which only clients send
                "30 FF FF FF FF 01", // a length of five bytes
                "30 FF FF FF 7F" // a packet larger than any that was published
            })
    void rejectsPacketsThatABrokerMustNotSend(String hex) {
        ByteBuffer in = bytes(hex);
        assertThatThrownBy(() -> read(MqttVersion.V5, in)).isInstanceOf(BrokerFaultException.class);
    }
}

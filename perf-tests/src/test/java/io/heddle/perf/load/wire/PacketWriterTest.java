package io.heddle.perf.load.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class PacketWriterTest {
    private static String hex(Consumer<ByteBuffer> writer) {
        ByteBuffer out = ByteBuffer.allocate(512);
        writer.accept(out);
        return HexFormat.ofDelimiter(" ").withUpperCase().formatHex(out.array(), 0, out.position());
    }

    @Test
    void connectOfACleanSession() {
        assertThat(hex(out ->
                        PacketWriter.connect(out, new ConnectFields(MqttVersion.V3_1_1, "c", true, 60, 0, null, null))))
                .isEqualTo("10 0D 00 04 4D 51 54 54 04 02 00 3C 00 01 63");
    }

    @Test
    void connectOfAPersistentSessionWithCredentials() {
        assertThat(hex(out ->
                        PacketWriter.connect(out, new ConnectFields(MqttVersion.V5, "c", false, 0, 3600, "u", "pw"))))
                .isEqualTo("10 1A 00 04 4D 51 54 54 05 C0 00 00 05 11 00 00 0E 10 00 01 63 00 01 75 00 02 70 77");
    }

    @Test
    void subscribe() {
        assertThat(hex(out -> PacketWriter.subscribe(out, MqttVersion.V3_1_1, 1, "a/#", 1)))
                .isEqualTo("82 08 00 01 00 03 61 2F 23 01");
        assertThat(hex(out -> PacketWriter.subscribe(out, MqttVersion.V5, 1, "a/#", 2)))
                .isEqualTo("82 09 00 01 00 00 03 61 2F 23 02");
    }

    @Test
    void acknowledgements() {
        assertThat(hex(out -> PacketWriter.acknowledgement(out, PacketType.PUBACK, 0xFFFE)))
                .isEqualTo("40 02 FF FE");
        assertThat(hex(out -> PacketWriter.acknowledgement(out, PacketType.PUBREC, 1)))
                .isEqualTo("50 02 00 01");
        assertThat(hex(out -> PacketWriter.acknowledgement(out, PacketType.PUBREL, 1)))
                .isEqualTo("62 02 00 01");
        assertThat(hex(out -> PacketWriter.acknowledgement(out, PacketType.PUBCOMP, 0x8001)))
                .isEqualTo("70 02 80 01");
    }

    @Test
    void pingAndDisconnect() {
        assertThat(hex(PacketWriter::pingReq)).isEqualTo("C0 00");
        assertThat(hex(PacketWriter::disconnect)).isEqualTo("E0 00");
    }

    @Test
    void publish() {
        PublishTemplate template = new PublishTemplate(
                MqttVersion.V5, "t", 1, false, "x".repeat(26).getBytes(US_ASCII));
        assertThat(hex(out -> template.write(out, 9, 1, 2, 3, 4)))
                .isEqualTo("32 20 00 01 74 00 09 00"
                        + " 00 00 00 01 00 00 00 02 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00 04 78 78");
    }

    @Test
    void publishWithRetain() {
        PublishTemplate template = new PublishTemplate(MqttVersion.V3_1_1, "t", 0, true, new byte[24]);
        assertThat(hex(out -> template.write(out, 0, 1, 2, 3, 4))).startsWith("31 1B 00 01 74 ");
    }
}

package io.heddle.core.message.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinaryReaderTest {
    /** Bit 6: User Properties. */
    private static final int USER_PROPERTIES = 1 << 6;

    @Test
    void readsTheWrittenValues() {
        byte[] bytes = new BinaryWriter()
                .u8(255)
                .u16(65_535)
                .u32(4_294_967_295L)
                .i64(Long.MIN_VALUE)
                .text("pümp")
                .bytes16(new byte[] {1, 2})
                .text("a/+")
                .raw(new byte[] {3})
                .toBytes();
        BinaryReader reader = new Reader(bytes);

        assertThat(reader.u8()).isEqualTo(255);
        assertThat(reader.u16()).isEqualTo(65_535);
        assertThat(reader.u32()).isEqualTo(4_294_967_295L);
        assertThat(reader.i64()).isEqualTo(Long.MIN_VALUE);
        assertThat(reader.text()).isEqualTo("pümp");
        assertThat(reader.bytes16()).containsExactly(1, 2);
        assertThat(reader.filter().value()).isEqualTo("a/+");
        assertThat(reader.remaining()).isEqualTo(1);
        assertThat(reader.rest()).containsExactly(3);
        reader.finish();
    }

    @Test
    void writesBigEndian() {
        byte[] bytes = new BinaryWriter().u8(1).u16(2).u32(3).i64(4).text("a").toBytes();

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("01" + "0002" + "00000003" + "0000000000000004" + "000161");
    }

    @Test
    void aClearedWriterStartsAgain() {
        BinaryWriter writer = new BinaryWriter().text("x".repeat(1_000));
        writer.clear();

        assertThat(writer.u8(7).length()).isEqualTo(1);
        assertThat(writer.toBytes()).containsExactly(7);
    }

    @Test
    void textsHaveAtMost65535Bytes() {
        assertThatThrownBy(() -> new BinaryWriter().text("x".repeat(65_536)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("65536 bytes, but the limit is 65535");
        assertThat(new BinaryWriter().text("x".repeat(65_535)).length()).isEqualTo(65_537);
    }

    @Test
    void truncatedAndExcessiveBytesAreMalformed() {
        assertThatThrownBy(() -> new Reader(new byte[] {0, 3, 'a'}).text())
                .hasMessage("it ends after 3 bytes, but 2 more are missing");
        assertThatThrownBy(() -> new Reader(new byte[2]).finish()).hasMessage("2 bytes too many");
    }

    @Test
    void valuesThatMqttDoesNotHaveAreMalformed() {
        assertThat(new Reader(new byte[0]).qos(2)).isEqualTo(QoS.EXACTLY_ONCE);
        assertThatThrownBy(() -> new Reader(new byte[0]).qos(3)).hasMessage("QoS 3 does not exist");
        assertThatThrownBy(() -> new Reader(new byte[] {0, 1, '+'}).topic())
                .hasMessageStartingWith("it has no valid topic name: ");
        assertThatThrownBy(() -> new Reader(new byte[] {0, 2, '#', '/'}).filter())
                .hasMessageStartingWith("it has no valid topic filter: ");
    }

    @Test
    void propertiesAreReadAsWritten() throws Exception {
        PublishProperties all = new PublishProperties(
                4_294_967_295L,
                true,
                "text/plain",
                TopicName.parse("answers/1", 2),
                BinaryData.wrap(new byte[] {9, 8}),
                List.of(new UserProperty("a", "b"), new UserProperty("", "")));
        BinaryWriter writer = new BinaryWriter();
        PropertiesFormat.write(all, writer);
        byte[] bytes = writer.toBytes();
        BinaryReader reader = new Reader(bytes);

        assertThat(PropertiesFormat.read(reader)).isEqualTo(all);
        reader.finish();
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> PropertiesFormat.read(new Reader(truncated)))
                    .isInstanceOf(Malformed.class);
        }
    }

    @Test
    void aNumberOfUserPropertiesAboveTheSizeIsMalformed() {
        byte[] bytes =
                new BinaryWriter().u8(USER_PROPERTIES).u32(2).text("a").text("").toBytes();

        assertThatThrownBy(() -> PropertiesFormat.read(new Reader(bytes)))
                .isInstanceOf(Malformed.class)
                .hasMessage("2 User Properties exceed its size");
    }

    private static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Malformed(String detail) {
            super(detail);
        }
    }

    private static final class Reader extends BinaryReader {
        Reader(byte[] bytes) {
            super(bytes);
        }

        @Override
        public Malformed malformed(String detail) {
            return new Malformed(detail);
        }
    }
}

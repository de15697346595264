package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageFormatTest {
    static final PublishMessage PLAIN = message(PublishProperties.NONE, PublishMessage.NEVER_EXPIRES, "21.5");
    static final PublishMessage FULL = new PublishMessage(
            new ClientId("pump-1"),
            TopicName.parse("plant/1/temperature", 8),
            QoS.EXACTLY_ONCE,
            true,
            new PublishProperties(
                    3_600,
                    true,
                    "text/plain",
                    TopicName.parse("answers/1", 8),
                    BinaryData.wrap(new byte[] {0, 1, -1}),
                    List.of(new UserProperty("unit", "°C"), new UserProperty("unit", ""))),
            BinaryData.wrap("21.5".getBytes(StandardCharsets.UTF_8)),
            1_800_000_000_000L);

    @Test
    void theFormatOfAPlainMessageIsStable() {
        assertThat(Golden.hex(MessageFormat.encode(PLAIN))).isEqualTo(Golden.hex(Golden.bytes("message-plain-v1")));
        assertThat(read(Golden.bytes("message-plain-v1"))).isEqualTo(PLAIN);
    }

    @Test
    void theFormatOfAMessageWithEveryPropertyIsStable() {
        assertThat(Golden.hex(MessageFormat.encode(FULL))).isEqualTo(Golden.hex(Golden.bytes("message-full-v1")));
        assertThat(read(Golden.bytes("message-full-v1"))).isEqualTo(FULL);
    }

    @Test
    void eachPropertyAloneIsReadBack() {
        for (PublishProperties properties : List.of(
                properties(0, null, null, null, null),
                properties(4_294_967_295L, null, null, null, null),
                properties(PublishProperties.NO_EXPIRY, false, null, null, null),
                properties(PublishProperties.NO_EXPIRY, true, null, null, null),
                properties(PublishProperties.NO_EXPIRY, null, "", null, null),
                properties(PublishProperties.NO_EXPIRY, null, null, "a/b", null),
                properties(PublishProperties.NO_EXPIRY, null, null, null, BinaryData.EMPTY))) {
            PublishMessage message = message(properties, 0, "");

            assertThat(read(MessageFormat.encode(message))).isEqualTo(message);
        }
    }

    @Test
    void theLongestTextsAreReadBack() {
        String longest = "é".repeat(32_767) + "x";
        PublishMessage message = new PublishMessage(
                new ClientId(longest),
                TopicName.parse(longest, 1),
                QoS.AT_LEAST_ONCE,
                false,
                properties(PublishProperties.NO_EXPIRY, null, longest, null, BinaryData.wrap(new byte[65_535])),
                BinaryData.wrap(new byte[300_000]),
                PublishMessage.NEVER_EXPIRES);

        assertThat(read(MessageFormat.encode(message))).isEqualTo(message);
    }

    @Test
    void aTruncatedRecordNamesItsLocation() {
        byte[] whole = MessageFormat.encode(FULL);
        int payload = FULL.payload().length();
        Truncated.assertUnreadable(
                whole, whole.length - payload, cut -> read(cut), "heddle.buckets-3 at offset 17 is unreadable: ");
    }

    @Test
    void anotherVersionIsNamed() {
        byte[] later = MessageFormat.encode(PLAIN);
        later[0] = 2;

        assertThatThrownBy(() -> read(later))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessage(
                        "heddle.buckets-3 at offset 17 is unreadable: a message of version 2, and this build of Heddle"
                                + " reads only version 1");
    }

    @Test
    void malformedRecordsAreRejected() {
        byte[] qos3 = MessageFormat.encode(PLAIN);
        qos3[1] |= 0b11;
        assertThatThrownBy(() -> read(qos3)).hasMessageEndingWith("QoS 3 does not exist");

        byte[] wildcard = MessageFormat.encode(PLAIN);
        wildcard[2 + 2 + "pump-1".length() + 2] = '#';
        assertThatThrownBy(() -> read(wildcard)).hasMessageContaining("it has no valid topic name: ");

        byte[] manyProperties = MessageFormat.encode(FULL);
        Arrays.fill(manyProperties, manyProperties.length - 30, manyProperties.length, (byte) 0x7f);
        assertThatThrownBy(() -> read(manyProperties)).isInstanceOf(UnreadableRecordException.class);

        byte[] nobody = new BinaryWriter().u8(1).u8(0).text("").text("a").toBytes();
        assertThatThrownBy(() -> read(nobody)).hasMessageEndingWith("a message without publisher");
    }

    private static PublishMessage read(byte[] bytes) {
        return MessageFormat.read(new RecordReader(bytes, () -> "heddle.buckets-3 at offset 17"));
    }

    private static PublishMessage message(PublishProperties properties, long expiresAtMillis, String payload) {
        return new PublishMessage(
                new ClientId("pump-1"),
                TopicName.parse("plant/1/temperature", 8),
                QoS.AT_LEAST_ONCE,
                false,
                properties,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)),
                expiresAtMillis);
    }

    private static PublishProperties properties(
            long expirySeconds,
            @Nullable Boolean utf8,
            @Nullable String contentType,
            @Nullable String responseTopic,
            @Nullable BinaryData correlationData) {
        return new PublishProperties(
                expirySeconds,
                utf8,
                contentType,
                responseTopic == null ? null : TopicName.parse(responseTopic, 8),
                correlationData,
                List.of());
    }
}

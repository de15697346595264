package io.heddle.core.delivery.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.routing.NodeRecipients;
import io.heddle.core.testkit.PublishMessages;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ForwardFrameTest {
    private static final PublishMessage MESSAGE = new PublishMessage(
            new ClientId("p"),
            TopicName.parse("t", 1),
            QoS.AT_LEAST_ONCE,
            true,
            PublishProperties.NONE,
            BinaryData.wrap(new byte[] {9}),
            PublishMessage.NEVER_EXPIRES);
    private static final String MESSAGE_BYTES = "05" + "000170" + "000174" + "09";

    private static final long CONNECT = 0x503;

    private static byte[] encode(int purposes, int persistent, List<String> groups, long number) {
        return ForwardFrame.encode(
                new ForwardFrame.Envelope(purposes, persistent, persistent == 0 ? 0 : CONNECT, null, groups),
                number,
                ForwardFrame.encode(MESSAGE, 0));
    }

    @Test
    void aMessageWithoutReceiptHasThisForm() {
        byte[] bytes =
                encode(NodeRecipients.SUBSCRIBERS | NodeRecipients.ACKNOWLEDGED, 0, List.of(), ForwardFrame.NO_NUMBER);

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("05" + "01" + MESSAGE_BYTES);
        assertThat(ForwardFrame.decode(bytes, 0))
                .isEqualTo(new ForwardFrame.Forwarded(
                        NodeRecipients.SUBSCRIBERS, 0, 0, ForwardFrame.NO_NUMBER, null, List.of(), MESSAGE));
    }

    @Test
    void aMessageWithReceiptAndGroupsHasThisForm() {
        byte[] bytes = encode(NodeRecipients.PERSISTENT, 70_000, List.of("$share/g/t"), 258);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("05" + "0e" + "ffff" + "0000000000000503" + "0000000000000102" + "0001"
                        + "000a2473686172652f672f74" + MESSAGE_BYTES);
        assertThat(ForwardFrame.decode(bytes, 0))
                .isEqualTo(new ForwardFrame.Forwarded(
                        NodeRecipients.PERSISTENT,
                        65_535,
                        CONNECT,
                        258,
                        null,
                        List.of(TopicFilter.parse("$share/g/t", 8)),
                        MESSAGE));
        for (int length = 0; length < bytes.length - 1; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ForwardFrame.decode(truncated, 0)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void aMessageWithANameHasThisForm() {
        byte[] bytes = ForwardFrame.encode(
                new ForwardFrame.Envelope(NodeRecipients.SUBSCRIBERS, 0, 0, PublishMessages.NAME, List.of()),
                1,
                ForwardFrame.encode(MESSAGE, 0));

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("05" + "15" + "0000000000000001" + "0000000000000102" + "89abcdef" + "0003"
                        + "0000000000001267" + MESSAGE_BYTES);
        assertThat(ForwardFrame.decode(bytes, 0).name()).isEqualTo(PublishMessages.NAME);
        bytes[10] = -1;
        assertThatThrownBy(() -> ForwardFrame.decode(bytes, 0)).isInstanceOf(MalformedFrameException.class);
    }

    @Test
    void aMeasuredMessageHasItsArrivalTime() {
        byte[] bytes = ForwardFrame.encode(
                new ForwardFrame.Envelope(NodeRecipients.SUBSCRIBERS, 0, 0, null, List.of()),
                ForwardFrame.NO_NUMBER,
                ForwardFrame.encode(MESSAGE.arrivedAt(258), 0));

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("05" + "01" + "25" + "0000000000000102" + MESSAGE_BYTES.substring(2));
        assertThat(ForwardFrame.decode(bytes, 0).message().arrivedMicros()).isEqualTo(258);
    }

    private static ForwardFrame.Returned returned(long number, String... filters) {
        return new ForwardFrame.Returned(
                number,
                Arrays.stream(filters).map(each -> TopicFilter.parse(each, 8)).toList());
    }

    @Test
    void aReceiptHasThisForm() {
        ForwardFrame.Receipt receipt = new ForwardFrame.Receipt(2, 9, List.of(returned(3, "$share/g/t"), returned(5)));
        byte[] bytes = ForwardFrame.encode(receipt);

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("02" + "02" + "0000000000000009" + "0002" + "0000000000000003" + "0001"
                        + "000a2473686172652f672f74" + "0000000000000005" + "0000");
        assertThat(ForwardFrame.decodeReceipt(bytes)).isEqualTo(receipt);
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ForwardFrame.decodeReceipt(truncated)).isInstanceOf(MalformedFrameException.class);
        }
    }

    @Test
    void aReceiptReturnsMessagesOnceItIsSent() {
        ReceiptLane lane = new ReceiptLane();
        ForwardFrame.Returned second = returned(2, "$share/g/t");
        assertThat(lane.handedOver(1, List.of())).isTrue();
        assertThat(lane.handedOver(2, second.filters()))
                .as("a receipt is due already")
                .isFalse();
        ForwardFrame.Receipt unsent = lane.next(1);
        assertThat(unsent).isEqualTo(new ForwardFrame.Receipt(1, 2, List.of(second)));
        lane.handedOver(3, List.of());
        ForwardFrame.Receipt receipt = lane.next(1);
        assertThat(receipt).isEqualTo(new ForwardFrame.Receipt(1, 3, List.of(second)));

        assertThat(lane.sent(receipt)).isFalse();
        assertThat(lane.handedOver(4, List.of())).isTrue();
        assertThat(lane.next(1)).isEqualTo(new ForwardFrame.Receipt(1, 4, List.of()));
    }

    @Test
    void aReceiptIsShort() {
        ReceiptLane lane = new ReceiptLane();
        TopicFilter filter = TopicFilter.parse("$share/g/" + "x".repeat(10_000), 8);
        for (int number = 1; number <= 10; number++) {
            lane.handedOver(number, List.of(filter));
        }

        ForwardFrame.Receipt first = lane.next(1);
        assertThat(first.number()).isEqualTo(4);
        assertThat(first.returned()).hasSize(4);
        assertThat(lane.sent(first)).as("there is more").isTrue();
        assertThat(lane.next(1).number()).isEqualTo(8);
    }
}

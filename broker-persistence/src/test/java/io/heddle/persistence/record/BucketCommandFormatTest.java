package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.Cleared;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.testkit.PublishMessages;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BucketCommandFormatTest {
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final BucketCommand ENQUEUE = new Enqueue(
            MessageFormatTest.PLAIN,
            List.of(
                    new QueueRecipient(PUMP, 1_700_000_000_000_000L, QoS.AT_LEAST_ONCE, false, List.of()),
                    new QueueRecipient(new ClientId("é"), 2, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455))));

    private static final BucketCommand SHARED = new Enqueue(
            MessageFormatTest.PLAIN,
            List.of(
                    new QueueRecipient(
                            PUMP, 1_700_000_000_000_000L, QoS.AT_LEAST_ONCE, false, List.of(), "$share/g/plant/#"),
                    new QueueRecipient(new ClientId("é"), 2, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455))));

    private static final Map<String, BucketCommand> GOLDEN = Map.of(
            "bucket-enqueue-v3", ENQUEUE,
            "bucket-enqueue-shared-v3", SHARED,
            "bucket-outbound-received-v3", new OutboundReceived(PUMP, 1_700_000_000_000_000L, 12),
            "bucket-inbound-received-v3",
                    new InboundReceived(PUMP, 1_700_000_000_000_000L, 65_535, PublishMessages.NAME),
            "bucket-inbound-released-v3", new InboundReleased(PUMP, 1_700_000_000_000_000L, 1),
            "bucket-cleared-v3", new Cleared(PUMP, 1_700_000_000_000_000L),
            "bucket-acknowledged-v3",
                    new Acknowledged(List.of(
                            new ClientAcknowledgement(
                                    PUMP, 1_700_000_000_000_000L, 12, List.of(new SequenceRange(14, 16))),
                            new ClientAcknowledgement(new ClientId("é"), 2, 0, List.of()))));

    @Test
    void theFormatOfCommandsIsStable() {
        GOLDEN.forEach((name, command) -> {
            assertThat(Golden.hex(BucketCommandFormat.encode(command)))
                    .as(name)
                    .isEqualTo(Golden.hex(Golden.bytes(name)));
            assertThat(read(Golden.bytes(name))).as(name).isEqualTo(command);
        });
    }

    @Test
    void aThousandRecipientsAreReadBack() {
        BucketCommand command = new Enqueue(
                MessageFormatTest.FULL,
                IntStream.range(0, BucketCommand.MAXIMUM_RECIPIENTS)
                        .mapToObj(i -> new QueueRecipient(
                                new ClientId("client-" + i),
                                i,
                                i % 2 == 0 ? QoS.AT_LEAST_ONCE : QoS.EXACTLY_ONCE,
                                i % 3 == 0,
                                IntStream.range(1, i % 5 + 1).boxed().toList()))
                        .toList());

        assertThat(read(BucketCommandFormat.encode(command))).isEqualTo(command);
    }

    @Test
    void aTruncatedRecordNamesItsLocation() {
        GOLDEN.forEach((name, command) -> {
            byte[] whole = BucketCommandFormat.encode(command);
            int payload = command instanceof Enqueue
                    ? MessageFormatTest.PLAIN.payload().length()
                    : 0;
            Truncated.assertUnreadable(
                    whole, whole.length - payload, cut -> read(cut), "bucket 3, offset 17 is unreadable: ");
        });
    }

    @Test
    void anotherVersionOrAnUnknownCommandIsNamed() {
        for (byte version : new byte[] {2, 4}) {
            byte[] other = BucketCommandFormat.encode(ENQUEUE);
            other[0] = version;
            assertThatThrownBy(() -> read(other)).hasMessageContaining("a bucket command of version " + version);
        }

        byte[] unknown = BucketCommandFormat.encode(ENQUEUE);
        unknown[1] = 8;
        assertThatThrownBy(() -> read(unknown)).hasMessageContaining("of kind 8, which this broker does not know");
    }

    @Test
    void malformedRecordsAreRejected() {
        byte[] nobody = new BinaryWriter().u8(3).u8(1).u16(0).toBytes();
        assertThatThrownBy(() -> read(nobody)).hasMessageEndingWith("with 0 recipients");

        byte[] tooMany = new BinaryWriter().u8(3).u8(1).u16(1_001).toBytes();
        assertThatThrownBy(() -> read(tooMany)).hasMessageEndingWith("with 1001 recipients");

        byte[] nameless = new BinaryWriter().u8(3).u8(3).text("").i64(1).u16(1).toBytes();
        assertThatThrownBy(() -> read(nameless)).hasMessageEndingWith("without client id");

        byte[] tooLong =
                Arrays.copyOf(BucketCommandFormat.encode(new InboundReceived(PUMP, 1, 1, PublishMessages.NAME)), 80);
        assertThatThrownBy(() -> read(tooLong)).hasMessageContaining("bytes too many");
    }

    private static BucketCommand read(byte[] bytes) {
        return BucketCommandFormat.read(new RecordReader(bytes, () -> "bucket 3, offset 17"));
    }
}

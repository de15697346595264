package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.persistence.record.Golden;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ArrivalHeaderTest {
    private static final String GOLDEN = "arrival-header-v1";
    private static final long MICROS = 1_700_000_000_000_000L;
    private static final PublishMessage MESSAGE = new PublishMessage(
            new ClientId("pump-1"),
            TopicName.parse("plant/1/temperature", 8),
            QoS.AT_LEAST_ONCE,
            false,
            PublishProperties.NONE,
            BinaryData.wrap(new byte[] {1}),
            PublishMessage.NEVER_EXPIRES);

    private static long readFrom(byte[] header) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("heddle.buckets", 0, 0, new byte[0], new byte[0]);
        record.headers().add(ArrivalHeader.NAME, header);
        Enqueue command = new Enqueue(
                MESSAGE, List.of(new QueueRecipient(new ClientId("pump-1"), 1, QoS.AT_LEAST_ONCE, false, List.of())));
        return ((Enqueue) ArrivalHeader.read(record, command)).message().arrivedMicros();
    }

    @Test
    void theFormatIsStable() {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("heddle.buckets", new byte[0]);
        ArrivalHeader.add(MESSAGE.arrivedAt(MICROS), record);

        assertThat(Golden.hex(record.headers().lastHeader(ArrivalHeader.NAME).value()))
                .isEqualTo(Golden.hex(Golden.bytes(GOLDEN)));
        assertThat(readFrom(Golden.bytes(GOLDEN))).isEqualTo(MICROS);
    }

    @Test
    void aHeaderOfAnotherLengthIsIgnored() {
        assertThat(readFrom(new byte[3])).isEqualTo(PublishMessage.NOT_MEASURED);
    }

    @Test
    void aMessageThatIsNotMeasuredHasNoHeader() {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("heddle.buckets", new byte[0]);
        ArrivalHeader.add(MESSAGE, record);

        assertThat(record.headers()).isEmpty();
    }
}

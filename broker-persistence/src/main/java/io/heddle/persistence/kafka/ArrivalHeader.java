package io.heddle.persistence.kafka;

import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.message.PublishMessage;
import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * The header {@value #NAME} of the records of measured messages: when their PUBLISH arrived, in microseconds since 1970, i64, by the clock of
 * the node that wrote the record. Other records have none. Readers ignore it if its length is not 8.
 */
public final class ArrivalHeader {
    public static final String NAME = "heddle-arrival";

    private ArrivalHeader() {}

    /** Adds the header to a new record if its message is measured. */
    public static void add(PublishMessage message, ProducerRecord<byte[], byte[]> record) {
        if (message.isMeasured()) {
            record.headers()
                    .add(
                            NAME,
                            ByteBuffer.allocate(Long.BYTES)
                                    .putLong(message.arrivedMicros())
                                    .array());
        }
    }

    /** Returns a command with the arrival time of its record. */
    public static BucketCommand read(ConsumerRecord<byte[], byte[]> record, BucketCommand command) {
        long micros = arrivedMicros(record);
        return micros != PublishMessage.NOT_MEASURED && command instanceof Enqueue enqueue
                ? new Enqueue(enqueue.message().arrivedAt(micros), enqueue.recipients())
                : command;
    }

    /** Returns a message with the arrival time of its record. */
    public static ApplicationMessage read(ConsumerRecord<byte[], byte[]> record, ApplicationMessage read) {
        long micros = arrivedMicros(record);
        return micros == PublishMessage.NOT_MEASURED
                ? read
                : new ApplicationMessage(
                        read.sequence(),
                        read.message().arrivedAt(micros),
                        read.qos(),
                        read.retain(),
                        read.subscriptionIdentifiers());
    }

    private static long arrivedMicros(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(NAME);
        return header == null || header.value() == null || header.value().length != Long.BYTES
                ? PublishMessage.NOT_MEASURED
                : ByteBuffer.wrap(header.value()).getLong();
    }
}

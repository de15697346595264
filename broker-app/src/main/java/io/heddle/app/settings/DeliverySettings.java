package io.heddle.app.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Delivery of messages to their recipients.
 *
 * @param handoverLimit maximum size of the messages that other event loops have handed over to one event loop and that it has not processed yet;
 *     further QoS 0 messages are dropped and counted; 0B means that all event loops share a sixteenth of the heap
 * @param readAheadLimit maximum memory for messages that are read from the queues of connected DEVICE clients but not sent yet. Above it, a
 *     client with such a message gets its next one only after that was sent; 0B means a thirty-second of the heap
 */
public record DeliverySettings(
        @DefaultValue("0B") DataSize handoverLimit,
        @DefaultValue("0B") DataSize readAheadLimit) {
    private static final DataSize LEAST = DataSize.ofKilobytes(64);

    public DeliverySettings {
        if (handoverLimit.toBytes() != 0) {
            ByteLimit.between("heddle.delivery.handover-limit", handoverLimit, LEAST, DataSize.ofTerabytes(1));
        }
        ByteLimit.between(
                "heddle.delivery.read-ahead-limit", readAheadLimit, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    }

    public long readAheadLimitBytes() {
        return HeapShare.READ_AHEAD.bytes(readAheadLimit);
    }

    /** Returns the limit of each of the given number of event loops. */
    public long handoverLimitBytes(int eventLoops) {
        return handoverLimit.toBytes() > 0
                ? handoverLimit.toBytes()
                : Math.max(LEAST.toBytes(), HeapShare.HANDOVER.bytes(handoverLimit) / eventLoops);
    }
}

package io.heddle.app.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How messages reach their recipients.
 *
 * @param handoverLimit the most that may wait for one event loop because other event loops handed it over; what comes above it
 *     at QoS 0 is dropped and counted; 0B means that all event loops share a sixteenth of the heap
 * @param readAheadLimit the memory for messages that were read from the queues of connected DEVICE clients and that these have not taken;
 *     above it a client that has one gets the next when it is taken; 0B means a thirty-second of the heap
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

    /** What may be read ahead for all clients, in bytes. */
    public long readAheadLimitBytes() {
        return HeapShare.READ_AHEAD.bytes(readAheadLimit);
    }

    /** The most that may wait for one of so many event loops, in bytes. */
    public long handoverLimitBytes(int eventLoops) {
        return handoverLimit.toBytes() > 0
                ? handoverLimit.toBytes()
                : Math.max(LEAST.toBytes(), HeapShare.HANDOVER.bytes(handoverLimit) / eventLoops);
    }
}

package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the direct memory for partially received packets of all connections of a node; a slow sender keeps its buffer for long.
 * Thread-safe. Bound: the limit; a packet above it is rejected before memory is allocated for it.
 */
@HotPath
public final class UnfinishedPackets {
    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    /**
     * Creates an unused limit.
     *
     * @param limitBytes at least 1
     */
    public UnfinishedPackets(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.packets.unfinished.bytes", takenBytes);
    }

    /** Takes bytes if the limit allows; otherwise returns false and takes none. */
    boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }
}

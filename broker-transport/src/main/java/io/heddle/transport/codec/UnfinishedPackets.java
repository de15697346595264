package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the direct memory for partially received packets of all connections of a node; a slow sender keeps its buffer for long.
 * Thread-safe. Bound: the limit; a packet above it is rejected before memory is allocated for it.
 */
@HotPath
public final class UnfinishedPackets {
    private final long limitBytes;
    private final AtomicLong chargedBytes = new AtomicLong();

    /**
     * Creates an unused limit.
     *
     * @param limitBytes at least 1
     */
    public UnfinishedPackets(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.packets.unfinished.bytes", chargedBytes);
    }

    /** Charges bytes if the limit allows; otherwise returns false and charges none. */
    boolean tryCharge(long bytes) {
        if (chargedBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    Limit limit() {
        return new Limit("heddle.mqtt.unfinished-packets-limit", limitBytes);
    }

    void release(long bytes) {
        chargedBytes.addAndGet(-bytes);
    }
}

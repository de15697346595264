package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the direct memory for partially received packets of all connections of a node; a slow sender keeps its buffer for long.
 * Thread-safe. Bound: the limit; a packet above it is rejected before memory is allocated for it. CONNECT packets take at most a quarter of
 * it, so that clients which nobody knows cannot have the packets of others rejected.
 */
@HotPath
public final class UnfinishedPackets {
    private static final int CONNECT_PARTS = 4;

    private final long limitBytes;
    private final AtomicLong chargedBytes = new AtomicLong();
    private final AtomicLong connectBytes = new AtomicLong();

    /**
     * Creates an unused limit.
     *
     * @param limitBytes at least 1
     */
    public UnfinishedPackets(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.packets.unfinished.bytes", chargedBytes);
    }

    /**
     * Charges bytes if the limit allows; otherwise returns false and charges none.
     *
     * @param isConnect whether they are of a CONNECT
     */
    boolean tryCharge(long bytes, boolean isConnect) {
        if (isConnect && connectBytes.addAndGet(bytes) > limitBytes / CONNECT_PARTS) {
            connectBytes.addAndGet(-bytes);
            return false;
        }
        if (chargedBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        release(bytes, isConnect);
        return false;
    }

    Limit limit(boolean isConnect) {
        return isConnect
                ? new Limit("a quarter of heddle.mqtt.unfinished-packets-limit", limitBytes / CONNECT_PARTS)
                : new Limit("heddle.mqtt.unfinished-packets-limit", limitBytes);
    }

    void release(long bytes, boolean isConnect) {
        chargedBytes.addAndGet(-bytes);
        if (isConnect) {
            connectBytes.addAndGet(-bytes);
        }
    }
}

package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory for unsent output of all connections of a node. Thread-safe. Beyond the limits, QoS 0 messages for a connection are
 * dropped. Bounds:
 *
 * <ul>
 *   <li>the direct memory of connections above their high watermarks: the limit. A connection may have at most a quarter of the free memory,
 *       so that clients that do not read leave room for those that do.
 *   <li>the heap of large payloads that clients have not read ({@link SharedPayload}): an eighth of the limit, or one payload.
 * </ul>
 */
@HotPath
public final class UnsentOutput {
    /** A connection may have the free memory divided by this. */
    private static final int CONNECTION_PARTS = 4;

    private static final int PAYLOAD_PARTS = 8;

    private final long limitBytes;
    private final AtomicLong chargedBytes = new AtomicLong();
    private final AtomicLong payloadBytes = new AtomicLong();

    /**
     * Creates an unused limit.
     *
     * @param limitBytes at least 1
     */
    public UnsentOutput(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        Gauge.builder("heddle.connections.unsent.bytes", chargedBytes, AtomicLong::get)
                .register(metrics);
        Gauge.builder("heddle.connections.unsent.payload.bytes", payloadBytes, AtomicLong::get)
                .register(metrics);
    }

    /** Charges a large payload if there is room; otherwise returns false and charges nothing. */
    boolean tryChargePayload(long bytes) {
        long charged = payloadBytes.addAndGet(bytes);
        if (charged == bytes || charged <= limitBytes / PAYLOAD_PARTS) {
            return true;
        }
        releasePayload(bytes);
        return false;
    }

    void releasePayload(long bytes) {
        payloadBytes.addAndGet(-bytes);
    }

    /**
     * Charges bytes if the connection's share allows; otherwise returns false and charges none.
     *
     * @param heldBytes the bytes that the connection already holds
     */
    boolean tryCharge(long bytes, long heldBytes) {
        long chargedBefore = chargedBytes.getAndAdd(bytes);
        if (heldBytes + bytes <= share(chargedBefore)) {
            return true;
        }
        release(bytes);
        return false;
    }

    void release(long bytes) {
        chargedBytes.addAndGet(-bytes);
    }

    /**
     * Returns whether a connection has used more than half of its share. Other connections that use up their shares do not
     * throttle it.
     */
    boolean isScarceFor(long heldBytes) {
        return heldBytes > share(chargedBytes.get()) / 2;
    }

    private long share(long charged) {
        return (limitBytes - charged) / CONNECTION_PARTS;
    }
}

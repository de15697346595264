package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the direct memory for unsent output of all connections of a node above their high watermarks. Thread-safe. Bound: the
 * limit. A connection may have at most a quarter of the free memory, so that clients that do not read leave room for those that
 * do. Beyond that, QoS 0 messages for the connection are dropped.
 */
@HotPath
public final class UnsentOutput {
    /** A connection may have the free memory divided by this. */
    private static final int CONNECTION_PARTS = 4;

    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    /**
     * Creates an unused limit.
     *
     * @param limitBytes at least 1
     */
    public UnsentOutput(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        Gauge.builder("heddle.connections.unsent.bytes", takenBytes, AtomicLong::get)
                .register(metrics);
    }

    /**
     * Takes bytes if the connection's share allows; otherwise returns false and takes none.
     *
     * @param heldBytes the bytes that the connection already holds
     */
    boolean tryTake(long bytes, long heldBytes) {
        long takenBefore = takenBytes.getAndAdd(bytes);
        if (heldBytes + bytes <= share(takenBefore)) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    /**
     * Returns whether a connection has used more than half of its share. Other connections that use up their shares do not
     * throttle it.
     */
    boolean isScarceFor(long heldBytes) {
        return heldBytes > share(takenBytes.get()) / 2;
    }

    private long share(long taken) {
        return (limitBytes - taken) / CONNECTION_PARTS;
    }
}

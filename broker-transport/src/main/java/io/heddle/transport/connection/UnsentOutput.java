package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for the unsent output of all connections of a node that exceed their high watermarks. It lies outside the heap. Any
 * thread may take and give back. Bound: the limit; a connection may take more only while it then has at most a quarter of what is free, so
 * that clients that do not read leave room for those that do. QoS 0 messages for a connection that may not are dropped.
 */
@HotPath
public final class UnsentOutput {
    /** Of so many parts of what is free a connection may have one. */
    private static final int HOLDER_PARTS = 4;

    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    /**
     * None.
     *
     * @param limitBytes at least 1
     */
    public UnsentOutput(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        Gauge.builder("heddle.connections.unsent.bytes", takenBytes, AtomicLong::get)
                .register(metrics);
    }

    /**
     * Takes bytes, or returns false and takes none.
     *
     * @param heldBytes those that the connection took before
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

    /** Whether a connection that holds so much will soon have its share. Others that hold theirs do not slow it. */
    boolean isScarceFor(long heldBytes) {
        return heldBytes > share(takenBytes.get()) / 2;
    }

    private long share(long taken) {
        return (limitBytes - taken) / HOLDER_PARTS;
    }
}

package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for the unsent output of all connections of a node that exceed their high watermarks. It lies outside the heap. Any
 * thread may take and give back. Bound: the limit; while it is reached, QoS 0 messages for such connections are dropped.
 */
@HotPath
public final class UnsentOutput {
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

    /** Takes bytes, or returns false and takes none. */
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

    /** Whether more than half of the limit is taken. */
    boolean isCongested() {
        return takenBytes.get() > limitBytes / 2;
    }
}

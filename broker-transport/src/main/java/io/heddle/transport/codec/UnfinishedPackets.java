package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for packets of which only a part has come, of all connections of a node together: their buffers lie outside the heap,
 * and one whose sender is slow holds on to its own. Any thread may take and give back. Bound: the limit; a packet that finds no room
 * is refused before memory is taken for it.
 */
@HotPath
public final class UnfinishedPackets {
    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    /**
     * None.
     *
     * @param limitBytes at least 1
     */
    public UnfinishedPackets(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.packets.unfinished.bytes", takenBytes);
    }

    /** Takes so many bytes, or says no and takes none. */
    boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** Gives back what was taken. */
    void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }
}

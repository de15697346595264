package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the sessions of a node may hold together for messages that wait or are unacknowledged. A message counts once
 * for each session that holds it, although they share its payload. Any thread may take and give back.
 */
@HotPath
public final class MemoryBudget {
    private final long limitBytes;
    private final AtomicLong takenBytes = new AtomicLong();

    /**
     * A budget of which nothing is taken.
     *
     * @param limitBytes at least 1
     */
    public MemoryBudget(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.sessions.memory.bytes", takenBytes);
    }

    /** Takes so many bytes, or says no and takes none. */
    public boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** Gives back what was taken. */
    public void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    /** How many bytes are taken at this moment. */
    public long takenBytes() {
        return takenBytes.get();
    }
}

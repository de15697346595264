package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the sessions of a node may hold together: for themselves, for messages that wait or are unacknowledged, for
 * identifiers of QoS 2 messages, for subscriptions and for wills. A message counts once for each session that holds it, although they share its payload. Any thread may take and give
 * back.
 */
@HotPath
public final class MemoryBudget {
    /** What a session's copy of a message costs besides the message: its record and its place. */
    private static final int COPY_BYTES = 64;

    private final long limitBytes;
    /** Of four parts of the limit, those that may be taken by what outlives connections: nobody who has gone stops those who are there. */
    private static final int LASTING_QUARTERS = 3;

    private final AtomicLong takenBytes = new AtomicLong();
    // The part of it that outlives connections.
    private final AtomicLong lastingBytes = new AtomicLong();

    /**
     * A budget of which nothing is taken.
     *
     * @param limitBytes at least 1
     */
    public MemoryBudget(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        metrics.gauge("heddle.sessions.memory.bytes", takenBytes);
        metrics.gauge("heddle.sessions.memory.lasting.bytes", lastingBytes);
    }

    /** What a session is charged for holding a message. */
    public static int copyBytes(PublishMessage message) {
        return COPY_BYTES + message.heldBytes();
    }

    /** Takes so many bytes, or says no and takes none. */
    public boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** The same for what outlives connections. */
    public boolean tryTakeLasting(long bytes) {
        if (lastingBytes.addAndGet(bytes) > limitBytes / 4 * LASTING_QUARTERS || !tryTake(bytes)) {
            lastingBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Takes so many bytes for what is there anyhow and outlives connections, whether there is room or not. */
    public void takeLasting(long bytes) {
        lastingBytes.addAndGet(bytes);
        take(bytes);
    }

    /** Gives back what was taken for what outlives connections. */
    public void giveBackLasting(long bytes) {
        lastingBytes.addAndGet(-bytes);
        giveBack(bytes);
    }

    /** Whether so many bytes could be taken at this moment for what outlives connections. */
    public boolean hasRoomForLasting(long bytes) {
        return lastingBytes.get() + bytes <= limitBytes / 4 * LASTING_QUARTERS && hasRoom(bytes);
    }

    /** Takes so many bytes for what is there anyhow, whether there is room or not. */
    public void take(long bytes) {
        takenBytes.addAndGet(bytes);
    }

    /** Gives back what was taken. */
    public void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    /** Whether so many bytes could be taken at this moment. */
    public boolean hasRoom(long bytes) {
        return takenBytes.get() + bytes <= limitBytes;
    }

    /** How many bytes are taken at this moment. */
    public long takenBytes() {
        return takenBytes.get();
    }
}

package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the sessions of a node may hold together for messages that wait or are unacknowledged, for subscriptions and for
 * wills. A message counts once for each session that holds it, although they share its payload. Part of it is reserved for
 * sessions whose client is connected: however many clients are away, those that are there are served. Any thread may take and
 * give back; a session does so through its {@link MemoryAccount}.
 */
@HotPath
public final class MemoryBudget {
    /** What a session's copy of a message costs besides the message: its record and its place. */
    private static final int COPY_BYTES = 64;

    private final long limitBytes;
    private final long absentLimitBytes;
    private final AtomicLong takenBytes = new AtomicLong();
    // The part of it that sessions hold whose client is away.
    private final AtomicLong absentBytes = new AtomicLong();

    /**
     * A budget of which nothing is taken.
     *
     * @param limitBytes at least 1
     * @param reservedBytes how much of it is only for sessions whose client is connected, 0 to the limit
     */
    public MemoryBudget(long limitBytes, long reservedBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        this.absentLimitBytes = limitBytes - reservedBytes;
        metrics.gauge("heddle.sessions.memory.bytes", takenBytes);
        metrics.gauge("heddle.sessions.memory.absent.bytes", absentBytes);
    }

    /** What a session is charged for holding a message. */
    public static int copyBytes(PublishMessage message) {
        return COPY_BYTES + message.heldBytes();
    }

    /** Takes so many bytes for a client that is there, or says no and takes none. */
    public boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /** Takes so many bytes for a client that is away, or says no and takes none. */
    boolean tryTakeAbsent(long bytes) {
        if (absentBytes.addAndGet(bytes) <= absentLimitBytes && tryTake(bytes)) {
            return true;
        }
        absentBytes.addAndGet(-bytes);
        return false;
    }

    /** Gives back what was taken for a client that is there. */
    public void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    /** Gives back what was taken for, or left by, a client that is away. */
    void giveBackAbsent(long bytes) {
        absentBytes.addAndGet(-bytes);
        giveBack(bytes);
    }

    /** A client has gone, or come back when negative, whose session holds so many bytes. */
    void nowAbsent(long bytes) {
        absentBytes.addAndGet(bytes);
    }

    /** Whether those who went have left more than sessions of absent clients may hold together. */
    boolean isAbsentShareExceeded() {
        return absentBytes.get() > absentLimitBytes;
    }

    /** Whether so many bytes could be taken for a client that is there, at this moment. */
    public boolean hasRoom(long bytes) {
        return takenBytes.get() + bytes <= limitBytes;
    }

    /** Whether so many bytes could be taken for a client that is away, at this moment; then also for one that is there. */
    public boolean hasRoomForAbsent(long bytes) {
        return hasRoom(bytes) && absentBytes.get() + bytes <= absentLimitBytes;
    }

    /** How many bytes are taken at this moment. */
    public long takenBytes() {
        return takenBytes.get();
    }
}

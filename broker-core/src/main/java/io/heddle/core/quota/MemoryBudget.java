package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the sessions of a node may hold together: for themselves, for messages that wait or are unacknowledged, for
 * identifiers of QoS 2 messages, for topic aliases, for subscriptions and for wills. A message counts once, however many sessions
 * hold it, and each of them for its copy besides. Any thread may take and give back.
 *
 * <p>No holder may take more than a quarter of what is free, so that the holders of much leave room to all others: of many that take
 * what they can, each has the same small part, and something stays free. An eighth of the limit is kept: holders of little
 * may use half of it, those that make progress or hold very little three quarters, and new sessions all of it. Those that make progress and
 * hold little may exceed the limit by a quarter of the reserve.
 */
@HotPath
public final class MemoryBudget {
    /** What a session's copy of a message costs besides the message: its record and its place. */
    private static final int COPY_BYTES = 64;

    /** Of four parts of the limit those that what outlives connections may take: who has gone stops nobody who is there. */
    private static final int LASTING_QUARTERS = 3;

    /** Of so many parts of the limit one is the reserve. */
    private static final int RESERVE_PARTS = 8;

    /** Of so many parts of what is free a holder may have one. */
    private static final int HOLDER_PARTS = 4;

    /** Of so many parts of the reserve a holder of little has one. */
    private static final int LITTLE_PARTS = 512;

    private final long limitBytes;
    private final long reserveBytes;
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
        this.reserveBytes = limitBytes / RESERVE_PARTS;
        metrics.gauge("heddle.sessions.memory.bytes", takenBytes);
        metrics.gauge("heddle.sessions.memory.lasting.bytes", lastingBytes);
    }

    /** What a session is charged for holding a message that nobody else holds. */
    public static int copyBytes(PublishMessage message) {
        return COPY_BYTES + message.heldBytes();
    }

    // Messages.

    /** Takes the bytes of a session's copy of a message, whether there is room or not. Released once. */
    public void hold(PublishMessage message) {
        takenBytes.addAndGet(message.hold() ? copyBytes(message) : COPY_BYTES);
    }

    /**
     * The same if the session may hold so much.
     *
     * @param heldBytes the messages that it holds already, as if nobody else held them
     * @param isProgressing whether its client acknowledges what it gets: then what it holds already does not count
     */
    public boolean tryHold(PublishMessage message, long heldBytes, boolean isProgressing) {
        long wanted = copyBytes(message) + (isProgressing ? 0 : heldBytes);
        long kept = reserveBytes;
        if (isProgressing) {
            // An accepted message is not dropped for a healthy client because others came in between.
            boolean isHealthy = heldBytes + copyBytes(message) <= reserveBytes / LITTLE_PARTS;
            kept = isHealthy ? -reserveBytes / 4 : reserveBytes / 4;
        } else if (wanted <= reserveBytes / LITTLE_PARTS) {
            kept = reserveBytes / 2;
        }
        long free = limitBytes - takenBytes.get() - kept;
        if (wanted > free / HOLDER_PARTS) {
            return false;
        }
        hold(message);
        return true;
    }

    /** Gives back what a session's copy of a message has taken. */
    public void release(PublishMessage message) {
        takenBytes.addAndGet(message.release() ? -copyBytes(message) : -COPY_BYTES);
    }

    // All else.

    /** Takes so many bytes, or says no and takes none. */
    public boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /**
     * Takes so many bytes, or says no and takes none.
     *
     * @param heldBytes about what the same holder has taken already for the same purpose
     */
    public boolean tryTake(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, limitBytes - takenBytes.get()) && tryTake(bytes);
    }

    /** Many holders of little leave a part of the reserve to holders of very little, and these the rest to new sessions. */
    private boolean maySpend(long bytes, long heldBytes, long free) {
        long wanted = heldBytes + bytes;
        if (wanted <= (free - reserveBytes) / HOLDER_PARTS) {
            return true;
        }
        long little = reserveBytes / LITTLE_PARTS;
        long left = free - bytes;
        return (wanted <= little && left >= reserveBytes / 2) || (wanted <= little / 8 && left >= reserveBytes / 4);
    }

    /** Takes so many bytes for what outlives connections, or says no and takes none. */
    public boolean tryTakeLasting(long bytes) {
        if (lastingBytes.addAndGet(bytes) > lastingLimitBytes() || !tryTake(bytes)) {
            lastingBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /**
     * The same.
     *
     * @param heldBytes about what the same holder has taken already for the same purpose
     */
    public boolean tryTakeLasting(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, lastingLimitBytes() - lastingBytes.get())
                && limitBytes - takenBytes.get() - bytes >= reserveBytes / 4
                && tryTakeLasting(bytes);
    }

    private long lastingLimitBytes() {
        return limitBytes / 4 * LASTING_QUARTERS;
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
        return lastingBytes.get() + bytes <= lastingLimitBytes() && hasRoom(bytes);
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

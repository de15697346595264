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
 * what they can, each has the same small part, and something stays free. An eighth of the limit is kept for holders of little, by the same
 * rule with smaller parts: subscriptions may use five eighths of it, messages of clients that acknowledge nothing half, those of clients
 * that have only begun to receive or that acknowledge three quarters, and new sessions all of it. The messages of clients that acknowledge
 * and hold less than a sixteenth of the reserve may exceed the limit by a quarter of it.
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

    /** A client that acknowledges may hold one of so many parts of the reserve and still be healthy: its event loop may be busy for a second. */
    private static final int HEALTHY_PARTS = 16;

    /** Of eight parts of the reserve those that are kept for messages and for new sessions. */
    private static final int KEPT_EIGHTHS = 3;

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
     */
    public boolean tryHold(PublishMessage message, long heldBytes, ClientProgress progress) {
        long bytes = copyBytes(message);
        long after = heldBytes + bytes;
        boolean isLittle = after <= reserveBytes / LITTLE_PARTS;
        return switch (progress) {
            case STALLED -> tryHold(message, after, isLittle ? reserveBytes / 2 : reserveBytes);
            case NEW -> tryHold(message, after, isLittle ? reserveBytes / 4 : reserveBytes);
            // Bytes that it holds already do not count: the message was accepted, and is not dropped because others
            // took memory since.
            case ACKNOWLEDGES ->
                tryHold(message, bytes, after <= reserveBytes / HEALTHY_PARTS ? -reserveBytes / 4 : reserveBytes / 4);
        };
    }

    private boolean tryHold(PublishMessage message, long wanted, long kept) {
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

    /** Of many holders that take what they can each has the same part of the reserve, so that there is one for the next holder too. */
    private boolean maySpend(long bytes, long heldBytes, long free) {
        long wanted = heldBytes + bytes;
        return wanted <= (free - reserveBytes) / HOLDER_PARTS
                || wanted <= (free - bytes - reserveBytes / 8 * KEPT_EIGHTHS) / LITTLE_PARTS;
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

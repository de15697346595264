package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the memory of all sessions of a node: session objects, queued and unacknowledged messages, QoS 2 packet identifiers, topic
 * aliases, subscriptions and wills. A message is charged once however many sessions hold it, plus a small charge for each session's copy.
 * Thread-safe.
 *
 * <p>No consumer (a session, or one of its purposes) may take more than a quarter of the free memory, so that large consumers leave room
 * for all others and some memory stays free. One eighth of the limit is a reserve for small consumers, to which the same rule applies with
 * smaller parts. Subscriptions may use five eighths of the reserve; messages of clients that acknowledge nothing, half; messages of clients
 * that have just started to receive or that acknowledge, three quarters; new sessions, all of it. Messages of clients that acknowledge and
 * hold less than a sixteenth of the reserve may exceed the limit by a quarter of the reserve.
 */
@HotPath
public final class MemoryBudget {
    /** The cost of a session's copy besides the message itself: its record and its queue slot. */
    private static final int COPY_BYTES = 64;

    /**
     * Quarters of the limit available to state that outlives connections, so that disconnected clients cannot block connected
     * ones.
     */
    private static final int LASTING_QUARTERS = 3;

    /** The reserve is the limit divided by this. */
    private static final int RESERVE_PARTS = 8;

    /** A consumer may have the free memory divided by this. */
    private static final int CONSUMER_PARTS = 4;

    /** A small consumer has at most the reserve divided by this. */
    private static final int LITTLE_PARTS = 512;

    /**
     * A client that acknowledges is healthy up to the reserve divided by this, because its event loop may be busy for a second.
     */
    private static final int HEALTHY_PARTS = 16;

    /** Eighths of the reserve kept for messages and new sessions. */
    private static final int KEPT_EIGHTHS = 3;

    private final long limitBytes;
    private final long reserveBytes;
    private final AtomicLong takenBytes = new AtomicLong();
    // The part of it for state that outlives connections.
    private final AtomicLong lastingBytes = new AtomicLong();

    /**
     * Creates an unused budget.
     *
     * @param limitBytes at least 1
     */
    public MemoryBudget(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        this.reserveBytes = limitBytes / RESERVE_PARTS;
        metrics.gauge("heddle.sessions.memory.bytes", takenBytes);
        metrics.gauge("heddle.sessions.memory.lasting.bytes", lastingBytes);
    }

    /** Returns the charge for a message that no other session holds. */
    public static int copyBytes(PublishMessage message) {
        return COPY_BYTES + message.heldBytes();
    }

    // Messages.

    /** Charges a session's copy of a message even above the limit. Release it once. */
    public void hold(PublishMessage message) {
        takenBytes.addAndGet(message.hold() ? copyBytes(message) : COPY_BYTES);
    }

    /**
     * Charges a session's copy of a message if the session may hold that much.
     *
     * @param heldBytes the messages that the session already holds, as if no other session held them
     * @return whether it was charged
     */
    public boolean tryHold(PublishMessage message, long heldBytes, ClientProgress progress) {
        long bytes = copyBytes(message);
        long after = heldBytes + bytes;
        boolean isLittle = after <= reserveBytes / LITTLE_PARTS;
        return switch (progress) {
            case STALLED -> tryHold(message, after, isLittle ? reserveBytes / 2 : reserveBytes);
            case NEW -> tryHold(message, after, isLittle ? reserveBytes / 4 : reserveBytes);
            // The session's held bytes do not count: the message was accepted, and is not dropped because of later
            // charges of others.
            case ACKNOWLEDGES ->
                tryHold(message, bytes, after <= reserveBytes / HEALTHY_PARTS ? -reserveBytes / 4 : reserveBytes / 4);
        };
    }

    private boolean tryHold(PublishMessage message, long wanted, long kept) {
        long free = limitBytes - takenBytes.get() - kept;
        if (wanted > free / CONSUMER_PARTS) {
            return false;
        }
        hold(message);
        return true;
    }

    /** Releases a session's copy of a message. */
    public void release(PublishMessage message) {
        takenBytes.addAndGet(message.release() ? -copyBytes(message) : -COPY_BYTES);
    }

    // Everything else.

    /** Takes bytes if the limit allows; otherwise returns false and takes none. */
    public boolean tryTake(long bytes) {
        if (takenBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        giveBack(bytes);
        return false;
    }

    /**
     * Takes bytes if the consumer's share allows; otherwise returns false and takes none.
     *
     * @param heldBytes approximately the bytes that the consumer has already taken for the same purpose
     */
    public boolean tryTake(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, limitBytes - takenBytes.get()) && tryTake(bytes);
    }

    /** Gives consumers that take all they can equal parts of the reserve, so that a part is left for the next consumer. */
    private boolean maySpend(long bytes, long heldBytes, long free) {
        long wanted = heldBytes + bytes;
        return wanted <= (free - reserveBytes) / CONSUMER_PARTS
                || wanted <= (free - bytes - reserveBytes / 8 * KEPT_EIGHTHS) / LITTLE_PARTS;
    }

    private boolean tryTakeLasting(long bytes) {
        if (lastingBytes.addAndGet(bytes) > lastingLimitBytes() || !tryTake(bytes)) {
            lastingBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /**
     * Takes bytes for state that outlives connections, if the consumer's share allows; otherwise returns false and takes none.
     *
     * @param heldBytes approximately the bytes that the consumer has already taken for the same purpose
     */
    public boolean tryTakeLasting(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, lastingLimitBytes() - lastingBytes.get())
                && limitBytes - takenBytes.get() - bytes >= reserveBytes / 4
                && tryTakeLasting(bytes);
    }

    private long lastingLimitBytes() {
        return limitBytes / 4 * LASTING_QUARTERS;
    }

    /** Takes bytes for existing state that outlives connections, even above the limit. */
    public void takeLasting(long bytes) {
        lastingBytes.addAndGet(bytes);
        take(bytes);
    }

    /** Gives back bytes of state that outlives connections. */
    public void giveBackLasting(long bytes) {
        lastingBytes.addAndGet(-bytes);
        giveBack(bytes);
    }

    /** Returns whether this many bytes are free for state that outlives connections. */
    public boolean hasRoomForLasting(long bytes) {
        return lastingBytes.get() + bytes <= lastingLimitBytes() && hasRoom(bytes);
    }

    /** Takes bytes for existing state, even above the limit. */
    public void take(long bytes) {
        takenBytes.addAndGet(bytes);
    }

    public void giveBack(long bytes) {
        takenBytes.addAndGet(-bytes);
    }

    /** Returns whether this many bytes are free. */
    public boolean hasRoom(long bytes) {
        return takenBytes.get() + bytes <= limitBytes;
    }

    public long takenBytes() {
        return takenBytes.get();
    }
}

package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.message.PublishMessage;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
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
    private static final int PERSISTENT_QUARTERS = 3;

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
    private final AtomicLong chargedBytes = new AtomicLong();
    // The part of it for state that outlives connections.
    private final AtomicLong persistentBytes = new AtomicLong();

    /**
     * Creates an unused budget.
     *
     * @param limitBytes at least 1
     */
    public MemoryBudget(long limitBytes, MeterRegistry metrics) {
        this.limitBytes = limitBytes;
        this.reserveBytes = limitBytes / RESERVE_PARTS;
        metrics.gauge("heddle.sessions.memory.bytes", chargedBytes);
        metrics.gauge("heddle.sessions.memory.persistent.bytes", persistentBytes);
    }

    /** Returns the charge for a message that no other session holds. */
    public static int copyBytes(PublishMessage message) {
        return COPY_BYTES + message.heldBytes();
    }

    // Messages.

    /** Charges a session's copy of a message even above the limit. Release it once. */
    public void charge(PublishMessage message) {
        chargedBytes.addAndGet(message.hold() ? copyBytes(message) : COPY_BYTES);
    }

    /**
     * Charges a session's copy of a message if the session may hold that much.
     *
     * @param heldBytes the messages that the session already holds, as if no other session held them
     * @return whether it was charged
     */
    public boolean tryCharge(PublishMessage message, long heldBytes, ClientProgress progress) {
        long bytes = copyBytes(message);
        long after = heldBytes + bytes;
        boolean isLittle = after <= reserveBytes / LITTLE_PARTS;
        return switch (progress) {
            case STALLED -> tryCharge(message, after, isLittle ? reserveBytes / 2 : reserveBytes);
            case NEW -> tryCharge(message, after, isLittle ? reserveBytes / 4 : reserveBytes);
            // Bytes already held do not count: the message was accepted and must not be dropped because others took
            // memory since then.
            case ACKNOWLEDGES ->
                tryCharge(message, bytes, after <= reserveBytes / HEALTHY_PARTS ? -reserveBytes / 4 : reserveBytes / 4);
        };
    }

    private boolean tryCharge(PublishMessage message, long wanted, long kept) {
        long free = limitBytes - chargedBytes.get() - kept;
        if (wanted > free / CONSUMER_PARTS) {
            return false;
        }
        charge(message);
        return true;
    }

    /** Releases a session's copy of a message. */
    public void release(PublishMessage message) {
        chargedBytes.addAndGet(message.release() ? -copyBytes(message) : -COPY_BYTES);
    }

    // Everything else.

    /** Charges bytes if the limit allows; otherwise returns false and charges none. */
    public boolean tryCharge(long bytes) {
        if (chargedBytes.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        release(bytes);
        return false;
    }

    /**
     * Takes bytes if the consumer's share allows; otherwise returns false and takes none.
     *
     * @param heldBytes approximately the bytes that the consumer has already taken for the same purpose
     */
    public boolean tryCharge(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, limitBytes - chargedBytes.get()) && tryCharge(bytes);
    }

    /** Gives consumers that take all they can equal parts of the reserve, so that a part is left for the next consumer. */
    private boolean maySpend(long bytes, long heldBytes, long free) {
        long wanted = heldBytes + bytes;
        return wanted <= (free - reserveBytes) / CONSUMER_PARTS
                || wanted <= (free - bytes - reserveBytes / 8 * KEPT_EIGHTHS) / LITTLE_PARTS;
    }

    private boolean tryChargePersistent(long bytes) {
        if (persistentBytes.addAndGet(bytes) > persistentLimitBytes() || !tryCharge(bytes)) {
            persistentBytes.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /**
     * Takes bytes for state that outlives connections, if the consumer's share allows; otherwise returns false and takes none.
     *
     * @param heldBytes approximately the bytes that the consumer has already taken for the same purpose
     */
    public boolean tryChargePersistent(long bytes, long heldBytes) {
        return maySpend(bytes, heldBytes, persistentLimitBytes() - persistentBytes.get())
                && limitBytes - chargedBytes.get() - bytes >= reserveBytes / 4
                && tryChargePersistent(bytes);
    }

    /** Returns the limit that the state of the logs exceeds, if it does. */
    public List<ExceededLimit> exceededLimits() {
        List<ExceededLimit> exceeded = new ArrayList<>();
        ExceededLimit.check(
                exceeded,
                "three quarters of heddle.session.memory-limit",
                persistentLimitBytes(),
                persistentBytes.get());
        return exceeded;
    }

    private long persistentLimitBytes() {
        return limitBytes / 4 * PERSISTENT_QUARTERS;
    }

    /** Charges bytes for existing state that outlives connections, even above the limit. */
    public void chargePersistent(long bytes) {
        persistentBytes.addAndGet(bytes);
        charge(bytes);
    }

    /** Releases bytes of state that outlives connections. */
    public void releasePersistent(long bytes) {
        persistentBytes.addAndGet(-bytes);
        release(bytes);
    }

    /** Returns whether this many bytes are free for state that outlives connections. */
    public boolean hasRoomForPersistent(long bytes) {
        return persistentBytes.get() + bytes <= persistentLimitBytes() && hasRoom(bytes);
    }

    /** Charges bytes for existing state, even above the limit. */
    public void charge(long bytes) {
        chargedBytes.addAndGet(bytes);
    }

    public void release(long bytes) {
        chargedBytes.addAndGet(-bytes);
    }

    /** Returns whether this many bytes are free. */
    public boolean hasRoom(long bytes) {
        return chargedBytes.get() + bytes <= limitBytes;
    }

    /** Returns the limit of all sessions together. */
    public Limit limit() {
        return new Limit("heddle.session.memory-limit", limitBytes);
    }

    /** Returns the limit of what outlives connections. */
    public Limit persistentLimit() {
        return new Limit("three quarters of heddle.session.memory-limit", persistentLimitBytes());
    }

    public long chargedBytes() {
        return chargedBytes.get();
    }
}

package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Subscription;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session that outlives its connections, as this node knows it. Everything of it that must survive lies in the stores; this is
 * what is known of it between connections.
 *
 * <p>States: free (its client is away) ⇄ held (by the connection that has it, or is about to) → ended, from either. Whoever holds
 * it owns its subscriptions and its record; any thread may ask for the rest.
 */
final class PersistentSession {
    private static final int HELD_BYTES = 512;
    private static final int MANY_SUBSCRIPTIONS = 64;

    private final PersistentSubscriber subscriber;
    private final long heldBytes;
    private final AtomicReference<Hold> hold = new AtomicReference<>(Hold.FREE);
    private final PendingCommits uncommitted = new PendingCommits();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>(1);
    private final SessionStateWriter record;
    private final @Nullable SessionOwner owner;
    private volatile QueueSessions.@Nullable Reader reader;
    // Belongs to the holder.
    private @Nullable RetainedReplay retainedReplay;
    // Belongs to the writer of the directory.
    private long storedFingerprint = SessionEntry.NOT_STORED;

    private enum Hold {
        FREE,
        HELD,
        ENDED
    }

    PersistentSession(PersistentSubscriber subscriber, SessionRecord record) {
        this(subscriber, record, SessionOwner.of(record));
    }

    /** @param owner whose quota it counts against, or null */
    PersistentSession(PersistentSubscriber subscriber, SessionRecord record, @Nullable SessionOwner owner) {
        this.subscriber = subscriber;
        this.owner = owner;
        this.record = new SessionStateWriter(subscriber.clientId(), record);
        this.heldBytes = heldBytes(subscriber.clientId(), record.userName());
    }

    /** About what it costs to know of it: itself, its names, its places in the maps. */
    static long heldBytes(ClientId clientId, @Nullable String userName) {
        return HELD_BYTES + 2L * clientId.value().length() + (userName == null ? 0 : 2L * userName.length());
    }

    ClientId clientId() {
        return subscriber.clientId();
    }

    /** Whose quota it counts against, or null. */
    @Nullable
    SessionOwner owner() {
        return owner;
    }

    /** What it was charged for. */
    long heldBytes() {
        return heldBytes;
    }

    PersistentSubscriber subscriber() {
        return subscriber;
    }

    long generation() {
        return subscriber.generation();
    }

    int bucket() {
        return subscriber.bucket();
    }

    /** What is known of it. */
    SessionRecord record() {
        return record.known();
    }

    /** What is known of it and how that is written. Changed by the holder, or before anybody can hold it. */
    SessionStateWriter stored() {
        return record;
    }

    /**
     * By the text of their filters. Changed by the holder only; the writer of the directory looks through them on its own thread,
     * where it may or may not see what changes meanwhile.
     */
    Map<String, Subscription> subscriptions() {
        return subscriptions;
    }

    /** Whether its queue may hold messages that other members of a shared subscription get when it ends. */
    boolean isQueuedMember() {
        if (record().type() == ClientType.DEVICE) {
            for (Subscription subscription : subscriptions.values()) {
                if (subscription.topicFilter().isShared()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether an event loop ends the session in the background, because the removal of its subscriptions takes long. */
    boolean hasManySubscriptions() {
        return subscriptions.size() > MANY_SUBSCRIPTIONS;
    }

    /** The QoS 2 messages of its client that are being committed. */
    PendingCommits uncommitted() {
        return uncommitted;
    }

    /** Who reads its queue at this moment, or null. */
    QueueSessions.@Nullable Reader reader() {
        return reader;
    }

    void reader(QueueSessions.@Nullable Reader reading) {
        reader = reading;
    }

    /** A connection wants it: says whether it has it now. */
    boolean tryHold() {
        return hold.compareAndSet(Hold.FREE, Hold.HELD);
    }

    /** The connection that held it is gone: says whether one held it. */
    boolean release() {
        return hold.compareAndSet(Hold.HELD, Hold.FREE);
    }

    /** It ends: says whether somebody held it. */
    boolean end() {
        return hold.getAndSet(Hold.ENDED) == Hold.HELD;
    }

    /** Whether nobody has it and it has not ended, at this moment. */
    boolean isFree() {
        return hold.get() == Hold.FREE;
    }

    /** Keeps what is still to come of retained messages for the next connection. By the holder. */
    void retainedReplay(RetainedReplay left) {
        retainedReplay = left;
    }

    /** What an earlier connection has left of retained messages, or null. By the holder. */
    @Nullable
    RetainedReplay takeRetainedReplay() {
        RetainedReplay left = retainedReplay;
        retainedReplay = null;
        return left;
    }

    /** Of what the directory has of it, or {@link SessionEntry#NOT_STORED}. By the writer of the directory. */
    long storedFingerprint() {
        return storedFingerprint;
    }

    void storedFingerprint(long stored) {
        storedFingerprint = stored;
    }

    /** Whether a connection has it, at this moment. */
    boolean isHeld() {
        return hold.get() == Hold.HELD;
    }
}

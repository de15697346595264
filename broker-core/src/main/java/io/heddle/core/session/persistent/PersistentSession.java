package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.bucket.RemoteTarget;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of one persistent session that this node keeps in memory, also between connections. The stores keep everything that must
 * survive the node.
 *
 * <p>States: idle (its client is away) ⇄ acquired (by a connection or a background task) → ended, from either. The event loop of its bucket
 * owns the state and changes the record and the subscriptions. Any thread may call the other methods.
 */
public final class PersistentSession {
    private static final int HELD_BYTES = 512;
    private static final int MANY_SUBSCRIPTIONS = 64;

    private final PersistentSubscriber subscriber;
    private final EventLoop registrarLoop;
    private final long heldBytes;
    private final PendingCommits pendingCommits = new PendingCommits();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>(1);
    private final SessionStateWriter record;
    private final @Nullable SessionOwner owner;
    private volatile State state = State.IDLE;
    private volatile SessionEnd endReason = SessionEnd.DISCONNECTED;
    // Filters whose latest commit has failed; owned by the loop that owns the session.
    private @Nullable Set<String> uncommitted;
    // Of the next holder; owned by the loop that owns the session.
    private @Nullable Runnable releaseListener;
    private volatile QueueSessions.@Nullable Reader reader;
    // Owned by the thread that applies the bucket logs.
    private @Nullable RemoteTarget remoteTarget;
    // The time of the latest drop in milliseconds since 1970, negative if the message had expired; 0 if there is none.
    // One number, so that a full queue allocates nothing for each message that it drops. Written by the thread that
    // applies the bucket logs.
    private volatile long queueDrop;
    // Owned by the holder.
    private @Nullable Map<String, PendingRetained> pendingRetained;

    /**
     * @param before the previous record
     * @param written completes when the new record, or a later one, is durable
     */
    public record RecordChange(SessionRecord before, CompletionStage<Void> written) {}

    private enum State {
        IDLE,
        ACQUIRED,
        ENDED
    }

    /** A session that a record describes, owned by this event loop. */
    public PersistentSession(PersistentSubscriber subscriber, EventLoop registrarLoop, SessionRecord record) {
        this(subscriber, registrarLoop, record, SessionOwner.of(record));
    }

    /** @param owner whose quota the session counts against, or null */
    PersistentSession(
            PersistentSubscriber subscriber,
            EventLoop registrarLoop,
            SessionRecord record,
            @Nullable SessionOwner owner) {
        this.subscriber = subscriber;
        this.registrarLoop = registrarLoop;
        this.owner = owner;
        this.record = new SessionStateWriter(subscriber.clientId(), subscriber.bucket(), record);
        this.heldBytes = heldBytes(subscriber.clientId(), record.userName());
    }

    /** The approximate memory of a session: its object, its names and its map entries. */
    public static long heldBytes(ClientId clientId, @Nullable String userName) {
        return HELD_BYTES + 2L * clientId.value().length() + (userName == null ? 0 : 2L * userName.length());
    }

    public ClientId clientId() {
        return subscriber.clientId();
    }

    /** The owner whose quota the session counts against, or null. */
    @Nullable
    SessionOwner owner() {
        return owner;
    }

    long heldBytes() {
        return heldBytes;
    }

    public PersistentSubscriber subscriber() {
        return subscriber;
    }

    public long generation() {
        return subscriber.generation();
    }

    public int bucket() {
        return subscriber.bucket();
    }

    /** The event loop that owns the session: begins, resumes, expires and ends the sessions of its bucket. */
    public EventLoop registrarLoop() {
        return registrarLoop;
    }

    /** Runs a step on the event loop that owns the session, between the turns in which the loop serves its connections. Any thread. */
    public void decideInBackground(Runnable step) {
        registrarLoop.execute(() -> registrarLoop.inBackground(() -> {
            step.run();
            return false;
        }));
    }

    public SessionRecord record() {
        return record.known();
    }

    /**
     * Changes the record, and with it the node that the client is connected to. A session that ends leaves its groups. On the loop that owns
     * the session.
     *
     * @param trie of the session's subscriptions
     * @return the previous record
     */
    SessionRecord change(SessionRecord changed, SubscriptionTrie trie) {
        SessionRecord before = record.change(changed);
        boolean isMoved = !before.owner().equals(changed.owner());
        if (isMoved) {
            subscriber.node(trie.nodes().find(changed.owner()));
        }
        if (isMoved || changed.isEnding()) {
            for (Subscription subscription : subscriptions.values()) {
                TopicFilter filter = subscription.topicFilter();
                if (filter.isShared() && changed.isEnding()) {
                    trie.remove(subscriber, filter);
                } else if (filter.isShared()) {
                    trie.connectionChanged(subscriber, filter);
                }
            }
        }
        return before;
    }

    /** Sets why the session ends, unless its client has disconnected with the Session Expiry Interval 0. Before the end. */
    public void endsBecause(SessionEnd reason) {
        endReason = reason;
    }

    SessionEnd endReason() {
        return endReason;
    }

    SessionStateWriter stored() {
        return record;
    }

    /** Completes when no will of the session is being published. A dependent action runs under a lock and must not block. */
    public CompletionStage<Void> whenWillsPublished() {
        return record.whenWillsPublished();
    }

    /**
     * The subscriptions by the text of their filters. Changed on the loop that owns the session. Any thread may read them and may miss
     * concurrent changes.
     */
    public Map<String, Subscription> subscriptions() {
        return subscriptions;
    }

    /**
     * The commit of changed subscriptions has failed, so the log may or may not have them. The client is disconnected. On the loop that owns the
     * session.
     */
    public void commitFailed(Collection<String> topicFilters) {
        registrarLoop.assertCurrent();
        if (uncommitted == null) {
            uncommitted = new HashSet<>();
        }
        uncommitted.addAll(topicFilters);
    }

    /** Returns the filters whose latest commit has failed, for the next commit, and forgets them. On the loop that owns the session. */
    public Set<String> takeUncommitted() {
        registrarLoop.assertCurrent();
        Set<String> taken = uncommitted;
        uncommitted = null;
        return taken == null ? Set.of() : taken;
    }

    /** Returns whether its queue may hold messages that other members of a shared subscription receive when the session ends. */
    public boolean isQueuedMember() {
        if (record().type() == ClientType.DEVICE) {
            for (Subscription subscription : subscriptions.values()) {
                if (subscription.topicFilter().isShared()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether removing its subscriptions takes so long that an event loop ends the session in the background. */
    public boolean hasManySubscriptions() {
        return subscriptions.size() > MANY_SUBSCRIPTIONS;
    }

    /** The QoS 2 messages of its client that are being committed. */
    public PendingCommits pendingCommits() {
        return pendingCommits;
    }

    /** The queue has dropped a message. On the thread that applies the bucket logs. */
    public void onQueueDropped(QueueDrop.Reason reason, long nowMillis) {
        queueDrop = switch (reason) {
            case QUEUE_FULL -> nowMillis;
            case EXPIRED -> -nowMillis;
        };
    }

    /** Returns the latest message that the queue has dropped while this node has held the bucket, or null. */
    public @Nullable QueueDrop queueDrop() {
        long latest = queueDrop;
        return latest == 0
                ? null
                : new QueueDrop(latest > 0 ? QueueDrop.Reason.QUEUE_FULL : QueueDrop.Reason.EXPIRED, Math.abs(latest));
    }

    /** The connected reader of its queue, or null. */
    public QueueSessions.@Nullable Reader reader() {
        return reader;
    }

    /** Sets the connected reader of its queue. By the holder. */
    public void reader(QueueSessions.@Nullable Reader reading) {
        reader = reading;
    }

    /** The connection to another node that reads its queue, as last known. On the thread that applies the bucket logs. */
    public @Nullable RemoteTarget remoteTarget() {
        return remoteTarget;
    }

    /** Remembers the connection to another node that reads its queue. On the thread that applies the bucket logs. */
    public void remoteTarget(@Nullable RemoteTarget reading) {
        remoteTarget = reading;
    }

    /** Returns whether the log is known to contain the record, so that another node would find it. Any thread. */
    public boolean isRecordDurable() {
        return record.isDurable();
    }

    /** Acquires the session; false when it has another holder or has ended. On the loop that owns the session. */
    boolean tryAcquire() {
        return change(State.IDLE, State.ACQUIRED);
    }

    /** The holder, if there is one, is done with the session. On the loop that owns the session. */
    void release() {
        if (change(State.ACQUIRED, State.IDLE)) {
            notifyNextHolder();
        }
    }

    /**
     * Runs a task, in a later turn of the loop that owns the session, when the holder releases or ends the session. On that loop. One task
     * waits at a time: it replaces an earlier one.
     */
    public void onceReleased(Runnable task) {
        registrarLoop.assertCurrent();
        releaseListener = task;
    }

    private void notifyNextHolder() {
        Runnable next = releaseListener;
        releaseListener = null;
        if (next != null) {
            registrarLoop.execute(next);
        }
    }

    private boolean change(State expected, State changed) {
        registrarLoop.assertCurrent();
        boolean isExpected = state == expected;
        if (isExpected) {
            state = changed;
        }
        return isExpected;
    }

    /** Ends the session. On the loop that owns the session. */
    void end() {
        registrarLoop.assertCurrent();
        state = State.ENDED;
        notifyNextHolder();
    }

    /** Returns whether the session can be acquired at this moment. */
    boolean isIdle() {
        return state == State.IDLE;
    }

    /** Returns whether a holder has the session at this moment. */
    public boolean isAcquired() {
        return state == State.ACQUIRED;
    }

    /** Keeps unfinished deliveries of retained messages, by filter, for the next connection. By the holder, which passes the map on. */
    public void keepRetained(Map<String, PendingRetained> unfinished) {
        pendingRetained = unfinished;
    }

    /** Takes the unfinished deliveries of the previous connection, by filter; null when there are none. By the holder. */
    public @Nullable Map<String, PendingRetained> takeRetained() {
        Map<String, PendingRetained> unfinished = pendingRetained;
        pendingRetained = null;
        return unfinished;
    }

    /**
     * The retained messages that have still to be sent for one subscription.
     *
     * @param number of the subscription, in the order of the deliveries
     * @param cursor the position among the matching messages, or null before the first one: a cursor takes much more memory than a
     *     subscription
     */
    public record PendingRetained(
            Subscription subscription,
            long number,
            @Nullable RetainedCursor cursor) {}
}

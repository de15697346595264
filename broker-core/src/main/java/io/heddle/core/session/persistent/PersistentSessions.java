package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSession.RecordChange;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All persistent sessions of the cluster, connected or not, with their subscriptions: the contents of {@code heddle.clients} in memory.
 * Thread-safe, but sessions begin, change and end only on the event loops that own them ({@link BucketLoops}). A change takes effect here
 * first and is answered when it is committed.
 *
 * <p>The end of a client's session is committed before the beginning of its next one: both commits are queued while the map entry of the
 * client is locked. Bound: the callers of {@link #begin} limit the number of sessions.
 */
public final class PersistentSessions {
    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    private final ConcurrentHashMap<ClientId, PersistentSession> sessions = new ConcurrentHashMap<>();
    private final OrderedSessions ordered = new OrderedSessions();
    private final AtomicInteger connectedHere = new AtomicInteger();
    private final UnwrittenRecords unwritten;
    private final SessionCharges charges;
    private final Epochs epochs;
    private final SessionDeadlines deadlines = new SessionDeadlines();
    private final WaitingWills waitingWills;
    private final Buckets buckets;
    private final BucketLoops loops;
    private final String incarnation;
    private final SubscriptionTrie trie;
    private final ClientLog clientLog;
    private final StoredRoutes routes;
    private final SessionCleanup cleanup;
    private final ApplicationSessions applications;
    private final QueuedSessions queued;
    private final SteadyClock clock;
    private final SessionExpiry expiry;
    private final HeldBuckets held;
    private final SessionHolding holding;

    /**
     * An empty set: {@link SessionReplica} adds the sessions of the log.
     *
     * @param incarnation of this node
     * @param trie the subscriptions of ended sessions are removed from it
     * @param maximumPerOwner the highest number of sessions of one user, or of the anonymous clients of one address
     */
    public PersistentSessions(
            Buckets buckets,
            BucketLoops loops,
            String incarnation,
            SubscriptionTrie trie,
            ClientLog clientLog,
            SessionRegistry registry,
            ApplicationSessions applications,
            MemoryBudget memory,
            int maximumPerOwner,
            SteadyClock clock,
            ClientEvents events,
            MeterRegistry metrics) {
        this.buckets = buckets;
        this.loops = loops;
        this.incarnation = incarnation;
        this.trie = trie;
        this.clientLog = clientLog;
        this.held = new HeldBuckets(buckets.count());
        this.routes = new StoredRoutes(clientLog, buckets, held, sessions);
        this.cleanup = new SessionCleanup(
                registry, applications, events, metrics.counter("heddle.messages.dropped", "reason", "session_ended"));
        this.epochs = new Epochs(clock);
        this.unwritten = new UnwrittenRecords(sessions, clientLog, held, cleanup, epochs);
        this.applications = applications;
        this.queued = new QueuedSessions(
                sessions, new SessionReRegistration(registry, incarnation), cleanup, clientLog, held);
        this.charges = new SessionCharges(memory, maximumPerOwner, buckets.count());
        this.waitingWills = new WaitingWills(memory);
        this.clock = clock;
        this.expiry = new SessionExpiry(deadlines, waitingWills, held, clock, metrics);
        this.holding = new SessionHolding(this, deadlines, waitingWills);
        metrics.gauge("heddle.sessions.persistent.known", sessions, ConcurrentHashMap::size);
        metrics.gauge("heddle.sessions.persistent.connected", connectedHere);
        metrics.gauge("heddle.sessions.persistent", charges, all -> all.count(held));
    }

    /** The session of a client, or null. */
    public @Nullable PersistentSession find(ClientId clientId) {
        return sessions.get(clientId);
    }

    public boolean isKnown(ClientId clientId) {
        return sessions.containsKey(clientId);
    }

    /** The log of the subscriptions. The caller changes the trie and the session's own map. */
    public StoredRoutes routes() {
        return routes;
    }

    public Epochs epochs() {
        return epochs;
    }

    /** Acquires a session; false when it has another holder or has ended. On the loop that owns the session. */
    public boolean acquire(PersistentSession session) {
        return session.tryAcquire();
    }

    /** The number of sessions without a connection to this node. */
    public int idle() {
        return sessions.size() - connectedHere.get();
    }

    /** Messages reach the client of a session, which is connected to this node, from now on. On the event loop of the client. */
    public void attach(PersistentSession session, LocalSession client) {
        session.subscriber().connected(client, trie.nodes().nextConnect());
        connectedHere.incrementAndGet();
    }

    /** Messages do not reach the client of a session any more. On the event loop of the client. */
    public void detach(PersistentSession session) {
        session.subscriber().disconnected();
        connectedHere.decrementAndGet();
    }

    /** All sessions; a weakly consistent view. */
    public Collection<PersistentSession> all() {
        return sessions.values();
    }

    /** All sessions in the order of their client ids. */
    public OrderedSessions inOrder() {
        return ordered;
    }

    public int bucket(ClientId clientId) {
        return buckets.of(clientId);
    }

    /** The name of this run of the node. */
    public String incarnation() {
        return incarnation;
    }

    private PersistentSession create(ClientId clientId, SessionRecord record, @Nullable SessionOwner owner) {
        int bucket = buckets.of(clientId);
        var subscriber = new PersistentSubscriber(clientId, record.type(), bucket, record.generation());
        subscriber.node(trie.nodes().find(record.owner()));
        return new PersistentSession(subscriber, loops.of(bucket), record, owner);
    }

    /** Adds a session of the log. Another node may decide about its client: nothing is written. {@link #holding} starts its deadlines. */
    public PersistentSession restore(ClientId clientId, SessionRecord record) {
        PersistentSession session = create(clientId, record, SessionOwner.of(record));
        sessions.put(clientId, session);
        ordered.put(session);
        charges.charge(session);
        return session;
    }

    /** Removes a session whose end is in the log. Nothing is written. On the loop that owns the session. */
    void remove(PersistentSession session) {
        sessions.remove(session.clientId(), session);
        ordered.remove(session);
        cleanup.onFollowedEnd(session);
    }

    SessionCharges charges() {
        return charges;
    }

    /** The buckets about whose clients this node decides. */
    public HeldBuckets held() {
        return held;
    }

    /** Changes sessions when this node takes or releases their buckets. */
    public SessionHolding holding() {
        return holding;
    }

    /**
     * Begins a session, acquired by the caller. The caller has checked that there is room. An existing session of the client ends. On the
     * loop that owns the session, like every method that changes a record or the holder.
     *
     * @param owner whose quota the session counts against, or null
     * @param node the incarnation of the node that the client is connected to
     * @param will of the connection that begins the session, or null
     * @return completes when the session's record is durable
     */
    public CompletionStage<PersistentSession> begin(
            ClientId clientId,
            ClientType type,
            @Nullable String userName,
            @Nullable SessionOwner owner,
            long expirySeconds,
            String node,
            long epoch,
            @Nullable WillMessage will) {
        SessionRecord record = new SessionRecord(epoch, type, userName, expirySeconds, node, epoch, 0, will);
        PersistentSession session = create(clientId, record, owner);
        if (!acquire(session)) {
            throw new IllegalStateException("a new session is acquired already");
        }
        AtomicReference<CompletionStage<Void>> committed = new AtomicReference<>(NOTHING_TO_WAIT_FOR);
        AtomicReference<@Nullable PersistentSession> ended = new AtomicReference<>();
        sessions.compute(clientId, (_, before) -> {
            if (before != null) {
                before.end();
                forget(before);
                ended.setPlain(before);
            }
            ordered.put(session);
            charges.charge(session);
            committed.setPlain(held.track(session.bucket(), session.stored().writeFirst(clientLog)));
            return session;
        });
        return committed.getPlain().thenApply(_ -> {
            PersistentSession before = ended.getPlain();
            if (before != null) {
                cleanup.endLog(before);
            }
            return session;
        });
    }

    /** The client of an acquired session is connected to a node, in a new epoch, with this will. A waiting will is discarded. */
    public RecordChange connected(
            PersistentSession session,
            long expirySeconds,
            @Nullable String userName,
            String node,
            long epoch,
            @Nullable WillMessage will) {
        deadlines.remove(session);
        RecordChange change = change(session, session.record().connected(userName, expirySeconds, node, epoch, will));
        WillMessage waited = change.before().isWillWaiting() ? change.before().will() : null;
        if (waited != null) {
            waitingWills.forget(session, waited);
        }
        return change;
    }

    /** This node takes over the log of an acquired session whose client is away. Completes when the record with this epoch is durable. */
    public CompletionStage<Void> takeOver(PersistentSession session, long epoch) {
        return change(session, session.record().withEpoch(epoch)).written();
    }

    /**
     * As {@link #takeOver}, to end the session. It leaves its groups. Its shared subscriptions stay stored until it has ended, so that the
     * next holder of the bucket finishes what this one has begun.
     */
    public CompletionStage<Void> beginEnd(PersistentSession session, long epoch) {
        return change(session, session.record().ending(epoch)).written();
    }

    /**
     * The connection of an acquired session failed before CONNACK: releases the session with its record before {@link #connected}, so that
     * a waiting will waits again. The epoch stays, because the registry may have seen it.
     */
    public void connectFailed(PersistentSession session, SessionRecord before) {
        var _ = change(session, before.withEpoch(session.record().epoch()));
        waitingWills.add(session);
        makeIdle(session);
    }

    /**
     * The client of an acquired session is disconnected: releases the session, which expires after this time. A will, unless it is null,
     * waits.
     *
     * @return completes when this is durable
     */
    CompletionStage<Void> disconnected(PersistentSession session, long expirySeconds, @Nullable WillMessage will) {
        RecordChange change = change(session, session.record().disconnected(expirySeconds, clock.millis(), will));
        waitingWills.add(session);
        makeIdle(session);
        return change.written();
    }

    WaitingWills waitingWills() {
        return waitingWills;
    }

    /** The will of a session is durable, or waits again. Any thread. */
    void endWillPublish(PersistentSession session) {
        session.stored().endWillPublish(clientLog);
    }

    /** Commits the latest record of a session; a failed commit is repeated. Completes when the record is durable. Any thread. */
    CompletionStage<Void> write(PersistentSession session) {
        return unwritten.watch(session, session.stored().write(clientLog));
    }

    /** Commits up to this number of records or ends again that could not be committed. On the housekeeping thread. */
    public void retryWrites(int maximum) {
        unwritten.retry(maximum, this::write);
    }

    /** An acquired session was not opened: releases it unchanged. */
    public void release(PersistentSession session) {
        if (session.record().isAway()) {
            makeIdle(session);
        } else {
            var _ = disconnected(session, session.record().expirySeconds(), null);
        }
    }

    /** Tells the registry that the client of a session is away. */
    public void unregister(PersistentSession session, long epoch, long sentUpTo) {
        cleanup.unregister(session, epoch, sentUpTo);
    }

    private void makeIdle(PersistentSession session) {
        deadlines.add(session);
        session.release();
    }

    private RecordChange change(PersistentSession session, SessionRecord record) {
        session.registrarLoop().assertCurrent();
        SessionRecord before = session.change(record, trie);
        return new RecordChange(before, write(session));
    }

    /**
     * Ends a session that the caller has acquired or has ended. Its queue and its log are removed when the end is durable.
     *
     * @return completes when the end is durable, so that no restart restores the session
     */
    public CompletionStage<Void> end(PersistentSession session) {
        session.end();
        deadlines.remove(session);
        AtomicReference<CompletionStage<Void>> committed = new AtomicReference<>(NOTHING_TO_WAIT_FOR);
        sessions.computeIfPresent(session.clientId(), (_, present) -> {
            if (!present.equals(session)) {
                // The client's next session has replaced this one and has ended it.
                return present;
            }
            committed.setPlain(unwritten.commitEnd(session));
            ordered.remove(session);
            forget(session);
            return null;
        });
        return committed.getPlain();
    }

    public ApplicationSessions applications() {
        return applications;
    }

    /** Returns whether an owner, if there is one, may have one more session. */
    public boolean hasRoomFor(@Nullable SessionOwner owner) {
        return charges.hasRoomFor(owner);
    }

    /** Only while the map entry of the client is locked. The caller has published a waiting will. */
    private void forget(PersistentSession session) {
        session.stored().end();
        var _ = waitingWills.take(session);
        charges.release(session);
        for (Subscription subscription : session.subscriptions().values()) {
            trie.remove(session.subscriber(), subscription.topicFilter());
            routes.forgetEnded(RouteKey.of(session.clientId(), subscription.topicFilter()));
        }
        session.subscriptions().clear();
    }

    /** Ends up to this number of expired sessions. The waiting will of a session is published first. */
    public void endExpired(int maximum, Consumer<PersistentSession> end) {
        expiry.endExpired(maximum, this, end);
    }

    /** The sessions as the writer of the queues sees them, with their connections to this node. */
    public QueuedSessions queued() {
        return queued;
    }
}

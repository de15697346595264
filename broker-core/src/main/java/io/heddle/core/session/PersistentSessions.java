package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.quota.CountQuota;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All persistent sessions of the cluster, connected or not, with their subscriptions: the memory of {@code heddle.sessions} and
 * {@code heddle.routes}. Thread-safe; a session itself belongs to its holder. A change is made here first, so that it counts from
 * then on, and is answered when its append is durable.
 *
 * <p>Of one client's sessions the end of one is appended before the beginning of the next, whichever threads do it: appends that begin or
 * end a session are made while the map holds its client's place. Bound: whoever begins sessions says how many there may be.
 */
public final class PersistentSessions {
    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    private final ConcurrentHashMap<ClientId, PersistentSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger held = new AtomicInteger();
    private final UnwrittenRecords unwritten;
    private final CountQuota<SessionOwner> byOwner;
    private final LongAccumulator highestEpoch = new LongAccumulator(Math::max, 0);
    private final SessionDeadlines deadlines = new SessionDeadlines();
    private final WaitingWills waitingWills;
    // Those that an earlier run of the node had, until this one serves. By the thread that starts the node.
    private final List<PersistentSession> orphaned = new ArrayList<>();
    private final DirtySessions changed = new DirtySessions();
    private final Buckets buckets;
    private final String incarnation;
    private final SubscriptionTrie trie;
    private final ChangeLog<ClientId, SessionRecord> sessionLog;
    private final StoredRoutes routes;
    private final SessionCleanup ends;
    private final ApplicationSessions applications;
    private final QueuedSessions queued;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final SessionExpiry expiry;

    /**
     * No sessions yet: those of the logs come with {@link #restore}.
     *
     * @param incarnation of this node
     * @param trie what ends with a session is taken out of it
     * @param maximumPerOwner how many sessions one user, or the anonymous clients of one address, may begin
     */
    public PersistentSessions(
            Buckets buckets,
            String incarnation,
            SubscriptionTrie trie,
            ChangeLog<ClientId, SessionRecord> sessionLog,
            ChangeLog<RouteKey, Route> routeLog,
            SessionRegistry registry,
            ApplicationSessions applications,
            MemoryBudget memory,
            int maximumPerOwner,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.buckets = buckets;
        this.incarnation = incarnation;
        this.trie = trie;
        this.sessionLog = sessionLog;
        this.unwritten = new UnwrittenRecords(sessions, sessionLog);
        this.routes = new StoredRoutes(routeLog, sessions);
        this.ends = new SessionCleanup(
                registry, applications, metrics.counter("heddle.messages.dropped", "reason", "session_ended"));
        this.applications = applications;
        this.queued = new QueuedSessions(sessions, new SessionReRegistration(registry, incarnation), ends);
        this.memory = memory;
        this.byOwner = new CountQuota<>(maximumPerOwner);
        this.waitingWills = new WaitingWills(memory);
        this.clock = clock;
        this.expiry = new SessionExpiry(deadlines, waitingWills, clock, metrics);
        metrics.gauge("heddle.sessions.persistent", sessions, ConcurrentHashMap::size);
    }

    /** The session of a client, or null. */
    @Nullable
    PersistentSession find(ClientId clientId) {
        return sessions.get(clientId);
    }

    /** Whether a client has one. */
    public boolean isKnown(ClientId clientId) {
        return sessions.containsKey(clientId);
    }

    /** Their subscriptions in the log; the trie and the session's own map are changed by whoever calls. */
    StoredRoutes routes() {
        return routes;
    }

    /** How many there are. */
    public int size() {
        return sessions.size();
    }

    /** The highest known epoch. New sessions begin above it, because the clock of the store may go back. */
    LongAccumulator highestEpoch() {
        return highestEpoch;
    }

    /** A connection wants a session: says whether it has it now. */
    boolean hold(PersistentSession session) {
        boolean isHeld = session.tryHold();
        if (isHeld) {
            held.incrementAndGet();
        }
        return isHeld;
    }

    /** How many of them have no connection to this node. */
    int free() {
        return sessions.size() - held.get();
    }

    /** All of them, as they come and go. */
    Collection<PersistentSession> all() {
        return sessions.values();
    }

    /** Those that the directory may not show as they are. */
    DirtySessions changed() {
        return changed;
    }

    /** Which bucket a client is in. */
    int bucket(ClientId clientId) {
        return buckets.of(clientId);
    }

    /** This node's name for this run. */
    String incarnation() {
        return incarnation;
    }

    private PersistentSession made(ClientId clientId, SessionRecord record, @Nullable SessionOwner owner) {
        return new PersistentSession(
                new PersistentSubscriber(clientId, record.type(), buckets.of(clientId), record.generation()),
                record,
                owner);
    }

    /**
     * A session as the log has it when the node starts: nobody is connected to it, and it ends in time. One whose node had no time
     * to say that its client has gone is away from {@link #serve} on.
     */
    PersistentSession restore(ClientId clientId, SessionRecord record) {
        PersistentSession session = made(clientId, record, SessionOwner.of(record));
        sessions.put(clientId, session);
        charge(session);
        if (record.isAway()) {
            deadlines.add(session);
            waitingWills.add(session);
        } else {
            orphaned.add(session);
        }
        return session;
    }

    /**
     * All is restored, and the node serves: those whose nodes had no time to say that their clients have gone are away from now on,
     * and the delays of their wills begin. On the thread that starts the node.
     */
    public void serve() {
        for (PersistentSession session : orphaned) {
            var _ = away(
                    session, session.record().expirySeconds(), session.record().will());
        }
        orphaned.clear();
    }

    /**
     * Begins a session, held by the caller, who has asked whether there is room; one of the same client that is still there ends.
     *
     * @param owner whose quota it counts against, or null
     * @param will of the connection that begins it, or null
     * @return completes when it outlives this node
     */
    CompletionStage<PersistentSession> begin(
            ClientId clientId,
            ClientType type,
            @Nullable String userName,
            @Nullable SessionOwner owner,
            long expirySeconds,
            long epoch,
            @Nullable WillMessage will) {
        SessionRecord record = new SessionRecord(epoch, type, userName, expirySeconds, incarnation, epoch, 0, will);
        PersistentSession session = made(clientId, record, owner);
        if (!hold(session)) {
            throw new IllegalStateException("somebody has a session that was just made");
        }
        AtomicReference<CompletionStage<Void>> appended = new AtomicReference<>(NOTHING_TO_WAIT_FOR);
        sessions.compute(clientId, (_, before) -> {
            if (before != null) {
                if (before.end()) {
                    held.decrementAndGet();
                }
                forget(before);
                ends.endLog(before);
            }
            charge(session);
            appended.setPlain(sessionLog.append(clientId, record));
            return session;
        });
        changed.add(clientId);
        return appended.getPlain().thenApply(_ -> session);
    }

    /** The client of a held session is connected, in a new epoch, with this will; a will that still waits is discarded. */
    RecordChange connected(
            PersistentSession session,
            long expirySeconds,
            @Nullable String userName,
            long epoch,
            @Nullable WillMessage will) {
        deadlines.remove(session);
        RecordChange change =
                change(session, session.record().connected(userName, expirySeconds, incarnation, epoch, will));
        WillMessage waited = change.before().isWillWaiting() ? change.before().will() : null;
        if (waited != null) {
            waitingWills.forget(session, waited);
        }
        return change;
    }

    /**
     * The connection of a held session did not get as far as its CONNACK: frees the session with its record as it was before {@link
     * #connected}, so that a will that waited then waits again. The epoch stays, because the registry has seen it.
     */
    void notConnected(PersistentSession session, SessionRecord before) {
        var _ = change(session, before.withEpoch(session.record().epoch()));
        waitingWills.add(session);
        release(session);
    }

    /**
     * The client of a held session has gone: frees it. The session outlives it for so long; a will, unless it is null, waits.
     *
     * @return completes when this is durable
     */
    CompletionStage<Void> away(PersistentSession session, long expirySeconds, @Nullable WillMessage will) {
        RecordChange change = change(session, session.record().away(expirySeconds, clock.millis(), will));
        waitingWills.add(session);
        release(session);
        return change.written();
    }

    /** The wills of those whose clients are away. */
    WaitingWills waitingWills() {
        return waitingWills;
    }

    /** A will of a session is where it must survive, or nobody knows. Any thread. */
    void willArrived(PersistentSession session, boolean safe) {
        session.stored().willArrived(safe, sessionLog);
    }

    /** Appends the known record of a session, and says when it is durable; one that fails is repeated. Any thread. */
    CompletionStage<Void> write(PersistentSession session) {
        return unwritten.watch(session, session.stored().write(sessionLog));
    }

    /** Those whose records or ends could not be appended. */
    UnwrittenRecords unwritten() {
        return unwritten;
    }

    /** A held session was not opened after all: frees it as it was. */
    void leave(PersistentSession session) {
        if (session.record().isAway()) {
            release(session);
        } else {
            var _ = away(session, session.record().expirySeconds(), null);
        }
    }

    /** Tells the store of the queues that the client of a session is away. */
    void disconnect(PersistentSession session, long epoch, long sentUpTo) {
        ends.disconnect(session, epoch, sentUpTo);
    }

    private void release(PersistentSession session) {
        deadlines.add(session);
        if (session.release()) {
            held.decrementAndGet();
        }
    }

    private RecordChange change(PersistentSession session, SessionRecord record) {
        SessionRecord before = session.stored().change(record);
        changed.add(session.clientId());
        return new RecordChange(before, write(session));
    }

    /** A subscription of a restored session, which is in the trie. */
    void subscribed(PersistentSession session, Subscription subscription) {
        memory.takeLasting(subscription.heldBytes());
        session.subscriptions().put(subscription.topicFilter().value(), subscription);
    }

    /**
     * Ends a session that its caller holds or has ended.
     *
     * @return completes when it can't come back
     */
    CompletionStage<Void> end(PersistentSession session) {
        if (session.end()) {
            held.decrementAndGet();
        }
        deadlines.remove(session);
        AtomicReference<CompletionStage<Void>> appended = new AtomicReference<>(NOTHING_TO_WAIT_FOR);
        sessions.computeIfPresent(session.clientId(), (_, present) -> {
            if (!present.equals(session)) {
                // The next one of this client has taken its place, and has ended it.
                return present;
            }
            appended.setPlain(unwritten.appendEnd(session));
            forget(session);
            return null;
        });
        changed.add(session.clientId());
        forgetQueue(session.bucket(), session.clientId(), session.generation());
        ends.endLog(session);
        return appended.getPlain();
    }

    /** The logs of APPLICATION clients. */
    ApplicationSessions applications() {
        return applications;
    }

    private void charge(PersistentSession session) {
        memory.takeLasting(session.heldBytes());
        if (session.owner() != null) {
            byOwner.take(session.owner());
        }
    }

    /** Whether an owner, if there is one, may have one more. */
    boolean hasRoomFor(@Nullable SessionOwner owner) {
        return owner == null || byOwner.hasRoom(owner);
    }

    /** Only while the map holds the client's place. Whoever ends the session has published a will that waits. */
    private void forget(PersistentSession session) {
        session.stored().end();
        var _ = waitingWills.take(session);
        memory.giveBackLasting(session.heldBytes());
        if (session.owner() != null) {
            byOwner.giveBack(session.owner());
        }
        for (Subscription subscription : session.subscriptions().values()) {
            trie.remove(session.subscriber(), subscription.topicFilter());
            memory.giveBackLasting(subscription.heldBytes());
            routes.forgetEnded(RouteKey.of(session.clientId(), subscription.topicFilter()));
        }
        session.subscriptions().clear();
    }

    /** Ends expired sessions, at most so many, and returns them. A will that waits is due before. */
    List<PersistentSession> endExpired(int maximum, Function<PersistentSession, CompletionStage<Void>> end) {
        return expiry.endExpired(maximum, this, end);
    }

    /** The same, as the writer of the queues asks. */
    public QueueSessions queued() {
        return queued;
    }

    /** The queue of a session that has ended is removed. */
    void forgetQueue(int bucket, ClientId clientId, long generation) {
        ends.forgetQueue(bucket, clientId, generation);
    }
}

package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.device.QueueSessions;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.SessionRegistry.Known;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All persistent sessions of the cluster, connected or not, with their subscriptions: the memory of {@code heddle.sessions} and
 * {@code heddle.routes}. Thread-safe; a session itself belongs to its holder. A change is made here first, so that it counts from
 * then on, and is answered when its append is durable.
 *
 * <p>Of one client's sessions the end of one is appended before the beginning of the next, whichever threads do it: appends that begin or
 * end a session are made while the map holds its client's place. Bound: whoever begins sessions says how many there may be.
 */
public final class PersistentSessions implements QueueSessions {
    private static final Logger log = LoggerFactory.getLogger(PersistentSessions.class);

    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);
    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final ConcurrentHashMap<ClientId, PersistentSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger held = new AtomicInteger();
    private final SessionDeadlines deadlines = new SessionDeadlines();
    private final ChangedSessions changed = new ChangedSessions();
    private final Buckets buckets;
    private final String incarnation;
    private final SubscriptionTrie trie;
    private final ChangeLog<ClientId, SessionRecord> sessionLog;
    private final StoredRoutes routes;
    private final SessionRegistry registry;
    private final ApplicationSessions applications;
    private final MemoryBudget memory;
    private final SteadyClock clock;
    private final Counter expired;
    private final Counter droppedSessionEnded;

    /**
     * No sessions yet: those of the logs come with {@link #restore}.
     *
     * @param incarnation of this node
     * @param trie what ends with a session is taken out of it
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
            SteadyClock clock,
            MeterRegistry metrics) {
        this.buckets = buckets;
        this.incarnation = incarnation;
        this.trie = trie;
        this.sessionLog = sessionLog;
        this.routes = new StoredRoutes(routeLog);
        this.registry = registry;
        this.applications = applications;
        this.memory = memory;
        this.clock = clock;
        this.expired = metrics.counter("heddle.sessions.expired");
        this.droppedSessionEnded = metrics.counter("heddle.messages.dropped", "reason", "session_ended");
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
    ChangedSessions changed() {
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

    private PersistentSession made(ClientId clientId, SessionRecord record) {
        return new PersistentSession(
                new PersistentSubscriber(clientId, record.type(), buckets.of(clientId), record.generation()), record);
    }

    /**
     * A session as the log has it when the node starts: nobody is connected to it, and it ends in time. One whose node had no time
     * to say that its client has gone is away from now on.
     */
    PersistentSession restore(ClientId clientId, SessionRecord record) {
        PersistentSession session = made(clientId, record);
        sessions.put(clientId, session);
        memory.takeLasting(session.heldBytes());
        if (record.isAway()) {
            deadlines.add(session);
        } else {
            away(session, record.expirySeconds());
        }
        return session;
    }

    /** Whether there is memory for one more. */
    boolean hasRoomFor(ClientId clientId, @Nullable String userName) {
        return memory.hasRoomForLasting(PersistentSession.heldBytes(clientId, userName));
    }

    /**
     * Begins a session, held by the caller, who has asked whether there is room; one of the same client that is still there ends.
     *
     * @return completes when it outlives this node
     */
    CompletionStage<PersistentSession> begin(
            ClientId clientId, ClientType type, @Nullable String userName, long expirySeconds, long epoch) {
        SessionRecord record = new SessionRecord(epoch, type, userName, expirySeconds, incarnation, epoch, 0);
        PersistentSession session = made(clientId, record);
        if (!hold(session)) {
            throw new IllegalStateException("somebody has a session that was just made");
        }
        AtomicReference<CompletionStage<Void>> appended = new AtomicReference<>(NOTHING_TO_WAIT_FOR);
        sessions.compute(clientId, (_, before) -> {
            if (before != null) {
                if (before.end()) {
                    held.decrementAndGet();
                }
                forgetRoutes(before);
                endLog(before);
                memory.giveBackLasting(before.heldBytes());
            }
            memory.takeLasting(session.heldBytes());
            appended.setPlain(sessionLog.append(clientId, record));
            return session;
        });
        changed.add(clientId);
        return appended.getPlain().thenApply(_ -> session);
    }

    /** The client of a held session is connected, in a new epoch. */
    void connected(PersistentSession session, long expirySeconds, @Nullable String userName, long epoch) {
        deadlines.remove(session);
        SessionRecord before = session.record();
        record(
                session,
                new SessionRecord(before.generation(), before.type(), userName, expirySeconds, incarnation, epoch, 0));
    }

    /** The client of a held session has gone: frees it. The session outlives it for so long. */
    void away(PersistentSession session, long expirySeconds) {
        SessionRecord before = session.record();
        SessionRecord record = new SessionRecord(
                before.generation(),
                before.type(),
                before.userName(),
                expirySeconds,
                "",
                before.epoch(),
                clock.millis());
        record(session, record);
        release(session);
    }

    /** A held session was not opened after all: frees it as it was. */
    void leave(PersistentSession session) {
        if (session.record().isAway()) {
            release(session);
        } else {
            away(session, session.record().expirySeconds());
        }
    }

    /** Tells the store of the queues that the client of a session is away. */
    void disconnect(PersistentSession session, long epoch, long sentUpTo) {
        registry.disconnect(session.bucket(), session.clientId(), epoch, sentUpTo, SessionRegistry.NEVER)
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        // The next connection takes it over all the same; it only knows less of what was sent.
                        log.debug("clientId={}: its queue was not told that it is away", session.clientId(), failure);
                    }
                });
    }

    private void release(PersistentSession session) {
        deadlines.add(session);
        if (session.release()) {
            held.decrementAndGet();
        }
    }

    private void record(PersistentSession session, SessionRecord record) {
        session.record(record);
        changed.add(session.clientId());
        sessionLog.append(session.clientId(), record).whenComplete((_, failure) -> {
            if (failure != null) {
                log.warn("clientId={}: its session's state could not be written", session.clientId(), failure);
            }
        });
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
        sessions.computeIfPresent(session.clientId(), (clientId, present) -> {
            if (!present.equals(session)) {
                // The next one of this client has taken its place, and has ended it.
                return present;
            }
            forgetRoutes(session);
            memory.giveBackLasting(session.heldBytes());
            appended.setPlain(sessionLog.append(clientId, null));
            return null;
        });
        changed.add(session.clientId());
        forgetQueue(session.bucket(), session.clientId(), session.generation());
        endLog(session);
        return appended.getPlain();
    }

    private void endLog(PersistentSession session) {
        if (session.record().type() == ClientType.APPLICATION) {
            applications.end(session.clientId(), session.generation()).thenAccept(droppedSessionEnded::increment);
        }
    }

    /** The logs of APPLICATION clients. */
    ApplicationSessions applications() {
        return applications;
    }

    /** Only while the map holds the client's place. */
    private void forgetRoutes(PersistentSession session) {
        for (Subscription subscription : session.subscriptions().values()) {
            trie.remove(session.subscriber(), subscription.topicFilter());
            memory.giveBackLasting(subscription.heldBytes());
            routes.forgetEnded(
                    new RouteKey(session.clientId(), subscription.topicFilter().value()));
        }
        session.subscriptions().clear();
    }

    /** Ends those whose time is over, at most so many, and says which. */
    List<PersistentSession> endExpired(int maximum) {
        List<PersistentSession> ended = new ArrayList<>();
        long nowMillis = clock.millis();
        for (PersistentSession due : deadlines.due(nowMillis, maximum)) {
            if (due.tryEnd()) {
                expired.increment();
                log.debug("clientId={} has not come back: its session has expired", due.clientId());
                end(due).whenComplete((_, failure) -> {
                    if (failure != null) {
                        log.warn("clientId={}: the end of its session could not be written", due.clientId(), failure);
                    }
                });
                ended.add(due);
            } else if (due.isHeld() && due.record().isAway()) {
                // Its client is about to come back, or does not manage to.
                deadlines.postpone(due, nowMillis + ASK_AGAIN_MILLIS);
            }
        }
        return ended;
    }

    // What the writer of the queues asks.

    @Override
    public @Nullable Reader reader(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        return session != null && session.generation() == generation ? session.reader() : null;
    }

    @Override
    public boolean isOver(ClientId clientId, long generation) {
        PersistentSession session = sessions.get(clientId);
        // One that is not known has ended: a message finds its recipients among these.
        return session == null || session.generation() > generation;
    }

    @Override
    public void forgetQueue(int bucket, ClientId clientId, long generation) {
        registry.end(bucket, clientId, generation).whenComplete((queued, failure) -> {
            if (failure == null) {
                droppedSessionEnded.increment(queued);
            } else {
                // It is found out again when something is queued for it, and a later session begins empty all the same.
                log.debug("clientId={}: the queue of its ended session stays for now", clientId, failure);
            }
        });
    }

    @Override
    public void bucketWentBack(int bucket) {
        List<Known> connected = new ArrayList<>();
        for (PersistentSession session : sessions.values()) {
            Reader reader = session.reader();
            if (session.bucket() == bucket && reader != null) {
                connected.add(new Known(
                        session.clientId(), session.generation(), reader.epoch(), incarnation, SessionRegistry.NEVER));
            }
        }
        if (connected.isEmpty()) {
            return;
        }
        registry.restore(bucket, connected).whenComplete((_, failure) -> {
            if (failure != null) {
                log.warn("Bucket {}: {} sessions could not be made known again", bucket, connected.size(), failure);
            }
        });
        for (Known known : connected) {
            Reader reader = reader(known.clientId(), known.generation());
            if (reader != null) {
                reader.eventLoop().execute(reader::queueWentBack);
            }
        }
    }
}

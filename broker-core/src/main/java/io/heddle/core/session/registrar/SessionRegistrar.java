package io.heddle.core.session.registrar;

import io.heddle.core.Stages;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.Wills;
import io.heddle.core.session.queue.QueueRedelivery;
import io.heddle.core.session.queue.SessionFeeds;
import io.heddle.core.session.registrar.settlement.Settlement;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link Registrar} of this node. Resumes, begins and ends persistent sessions, each on the event loop that owns it ({@link
 * BucketLoops}). Answers {@code Moved} for clients of buckets that are not open. Thread-safe. Openings of one client are handled one after
 * another. Bound: a node has one opening of a client at a time.
 */
public final class SessionRegistrar implements Registrar {
    private static final Logger log = LoggerFactory.getLogger(SessionRegistrar.class);

    private final RegistrarServices services;
    private final BucketLoops loops;
    // By the index of the event loop.
    private final List<RegistrarLoop> byLoop;

    /**
     * Opens the sessions of the clients of some buckets.
     *
     * @param connected closes connections whose sessions are taken over by clients of other nodes
     */
    public SessionRegistrar(
            PersistentSessions persistent,
            SessionFeeds feeds,
            QueueRedelivery redelivery,
            Wills wills,
            ConnectedClients connected,
            SubscriptionEditor editor,
            Settlement settlement,
            MemoryBudget memory,
            BucketLoops loops,
            SteadyClock clock,
            MeterRegistry registry) {
        this.loops = loops;
        this.byLoop = loops.all().stream()
                .map(each -> new RegistrarLoop(each, memory, registry))
                .toList();
        this.services = new RegistrarServices(
                persistent, feeds, redelivery, wills, connected, editor, settlement, memory, clock);
        redelivery.memberships(session -> settlement.whenFollowed(session.bucket()));
    }

    private RegistrarLoop loop(ClientId clientId) {
        return byLoop.get(loops.of(services.persistent().bucket(clientId)).index());
    }

    @Override
    public CompletionStage<OpenOutcome> open(OpenRequest request) {
        CompletableFuture<OpenOutcome> answer = new CompletableFuture<>();
        RegistrarLoop loop = loop(request.clientId());
        loop.eventLoop().execute(() -> open(request, loop, answer));
        return answer;
    }

    private void open(OpenRequest request, RegistrarLoop loop, CompletableFuture<OpenOutcome> answer) {
        int bucket = services.persistent().bucket(request.clientId());
        if (!accepts(bucket, loop)) {
            answer.complete(OpenOutcome.Moved.INSTANCE);
            return;
        }
        ClientTurns turns = loop.openings();
        SessionOpening opening =
                new SessionOpening(request, loop, answer::complete, () -> turns.end(request.clientId()), services);
        loop.add(bucket, opening);
        var _ = answer.whenComplete((_, _) -> {
            loop.remove(bucket, opening);
            services.persistent().held().end(bucket);
        });
        if (turns.isBusy(request.clientId())) {
            opening.awaitTurn();
        }
        turns.begin(request.clientId(), opening::begin);
    }

    /**
     * Changes the position of an APPLICATION client in its log, between two connections of the client: the present connection is closed
     * first.
     *
     * @return completes within ten seconds; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    public CompletionStage<SeekOutcome> seek(ClientId clientId, LogPosition position) {
        CompletableFuture<SeekOutcome> answer = new CompletableFuture<>();
        RegistrarLoop loop = loop(clientId);
        int bucket = services.persistent().bucket(clientId);
        loop.eventLoop().execute(() -> {
            if (!accepts(bucket, loop)) {
                answer.complete(SeekOutcome.Refused.MOVED);
                return;
            }
            ClientTurns turns = loop.openings();
            ApplicationSeek seek = new ApplicationSeek(
                    clientId, position, loop.eventLoop(), answer, () -> turns.end(clientId), services);
            var _ = answer.whenComplete((_, _) -> services.persistent().held().end(bucket));
            turns.begin(clientId, seek::begin);
        });
        return answer;
    }

    /** Begins a request of a client of this bucket, or returns false. On the loop. The answer ends the request. */
    private boolean accepts(int bucket, RegistrarLoop loop) {
        return loop.isOpen(bucket) && services.persistent().held().tryBegin(bucket);
    }

    @Override
    public CompletionStage<LeaveOutcome> leave(Departure departure) {
        CompletableFuture<LeaveOutcome> answer = new CompletableFuture<>();
        inTurn(departure.clientId(), answer, LeaveOutcome.MOVED, turnEnded -> {
            CompletableFuture<Void> left = new CompletableFuture<>();
            Stages.forward(left.thenApply(_ -> LeaveOutcome.LEFT), answer);
            try {
                if (departure.generation() == Departure.TRANSIENT) {
                    loop(departure.clientId()).transients().leave(departure.clientId(), departure.epoch());
                    left.complete(null);
                } else {
                    noteAppends(departure);
                    decide(departure, left);
                }
            } finally {
                turnEnded.run();
            }
        });
        return answer;
    }

    @Override
    public CompletionStage<ChangeOutcome> change(SubscriptionChange change) {
        CompletableFuture<ChangeOutcome> answer = new CompletableFuture<>();
        inTurn(change.clientId(), answer, ChangeOutcome.Moved.INSTANCE, turnEnded -> {
            PersistentSession session = held(change.clientId(), change.generation(), change.epoch());
            if (session == null) {
                answer.complete(ChangeOutcome.NotHeld.INSTANCE);
                turnEnded.run();
            } else {
                new SubscriptionChanging(session, change, services, answer, turnEnded).begin();
            }
        });
        return answer;
    }

    /**
     * Handles a request of a connection after the earlier ones of the client.
     *
     * @param moved the answer if another node decides about the client
     */
    private <T> void inTurn(ClientId clientId, CompletableFuture<T> answer, T moved, Consumer<Runnable> request) {
        RegistrarLoop loop = loop(clientId);
        ClientTurns turns = loop.changes();
        int bucket = services.persistent().bucket(clientId);
        loop.eventLoop().execute(() -> {
            if (accepts(bucket, loop)) {
                var _ = answer.whenComplete(
                        (_, _) -> services.persistent().held().end(bucket));
                turns.begin(clientId, () -> request.accept(() -> turns.end(clientId)));
            } else {
                answer.complete(moved);
            }
        });
    }

    /**
     * Accepts requests for the clients of these held buckets from now on. Any thread.
     *
     * @param nodes that may have clients without persistent sessions, and announce them. A client without a session waits until all have done
     *     so, or have ended
     * @param limit after which they are not waited for any more
     */
    public void openBuckets(Set<Integer> buckets, Set<String> nodes, Duration limit) {
        for (int bucket : buckets) {
            RegistrarLoop loop = byLoop.get(loops.of(bucket).index());
            loop.eventLoop().execute(() -> {
                loop.open(bucket);
                loop.transients().await(bucket, nodes, limit);
            });
        }
    }

    /**
     * Answers requests for the clients of these buckets with {@code Moved} from now on. Requests that have begun to change a session go on;
     * {@link io.heddle.core.cluster.HeldBuckets#isQuiet} tells when all have ended. Any thread.
     */
    public void closeBuckets(Set<Integer> buckets) {
        PersistentSessions persistent = services.persistent();
        for (RegistrarLoop loop : byLoop) {
            loop.eventLoop().execute(() -> {
                buckets.forEach(loop::close);
                loop.transients().forget(buckets, persistent::bucket);
            });
        }
    }

    /** Returns the session that a connection has, or null when it has none any more. On the loop that owns the session. */
    private @Nullable PersistentSession held(ClientId clientId, long generation, long epoch) {
        PersistentSession session = services.persistent().find(clientId);
        if (session == null || session.generation() != generation) {
            return null;
        }
        SessionRecord record = session.record();
        return record.epoch() == epoch && !record.isAway() ? session : null;
    }

    /** The next connection of a client waits until the bucket log is applied up to the appends of the node that it has left. */
    private void noteAppends(Departure departure) {
        if (departure.appendedUpTo() != BucketBatch.NOTHING) {
            int bucket = services.persistent().bucket(departure.clientId());
            services.feeds().positions().appended(bucket, departure.appendedUpTo(), 0, 0);
        }
    }

    private void decide(Departure departure, CompletableFuture<Void> left) {
        PersistentSession session = held(departure.clientId(), departure.generation(), departure.epoch());
        if (session == null) {
            log.debug(
                    "Ignoring the departure of a connection that has no session: clientId={}, epoch={}",
                    departure.clientId(),
                    departure.epoch());
            left.complete(null);
            return;
        }
        SessionRecord before = departure.before();
        if (before != null) {
            services.persistent().connectFailed(session, before);
        }
        if (before != null || departure.expirySeconds() > 0) {
            services.persistent().unregister(session, departure.epoch(), departure.sentUpTo());
        }
        if (before != null) {
            left.complete(null);
        } else if (departure.expirySeconds() > 0 || departure.will() != null || session.isQueuedMember()) {
            // A session that ends now ends when its will is published and its messages are redelivered.
            Stages.forward(
                    services.wills().onConnectionLost(session, departure.expirySeconds(), departure.will()), left);
        } else if (session.hasManySubscriptions()) {
            session.decideInBackground(
                    () -> Stages.forward(services.persistent().end(session), left));
        } else {
            Stages.forward(services.persistent().end(session), left);
        }
    }

    @Override
    public void announce(String node, int bucket, List<TransientClient> clients, boolean isLast) {
        RegistrarLoop loop = byLoop.get(loops.of(bucket).index());
        clients.forEach(client -> services.persistent().epochs().onSeen(client.number()));
        loop.eventLoop().execute(() -> {
            if (!loop.isOpen(bucket)) {
                // The nodes announce their clients to the next node that decides about them.
                return;
            }
            clients.forEach(client -> announce(node, client, loop));
            if (isLast) {
                loop.transients().onAnnounced(bucket, node);
            }
        });
    }

    private void announce(String node, TransientClient client, RegistrarLoop loop) {
        TransientClients.Holder other = loop.transients().find(client.clientId());
        PersistentSession session = services.persistent().find(client.clientId());
        SessionRecord record = session == null ? null : session.record();
        boolean isReplaced = (other != null && other.client().number() > client.number())
                || (record != null && record.epoch() > client.number());
        if (isReplaced) {
            services.connected().close(node, client.clientId(), client.number());
            return;
        }
        if (other != null && other.client().number() < client.number()) {
            services.connected()
                    .close(other.node(), client.clientId(), other.client().number());
        }
        if (record != null && !record.isAway()) {
            services.connected().close(record.owner(), client.clientId(), record.epoch());
        }
        loop.transients().addAnnounced(node, client);
    }

    @Override
    public void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
        loop(clientId).eventLoop().execute(() -> loseAbsent(node, clientId, heldEpoch, beforeEpoch));
    }

    private void loseAbsent(String node, ClientId clientId, long heldEpoch, long beforeEpoch) {
        TransientClients transients = loop(clientId).transients();
        TransientClients.Holder holder = transients.find(clientId);
        if (holder != null && holder.node().equals(node)) {
            long number = holder.client().number();
            if (number != heldEpoch && number < beforeEpoch) {
                transients.leave(clientId, number);
            }
        }
        PersistentSession session = services.persistent().find(clientId);
        if (session == null) {
            return;
        }
        SessionRecord record = session.record();
        if (record.owner().equals(node)
                && !record.isAway()
                && record.epoch() != heldEpoch
                && record.epoch() < beforeEpoch) {
            // The client of a session that the lost grant has begun got no CONNACK: it has no session [MQTT-3.2.2-4].
            boolean isUnused = record.epoch() == session.generation()
                    && session.subscriptions().isEmpty();
            log.debug(
                    "A granted session was lost with its grant: clientId={}, epoch={}, ends={}",
                    clientId,
                    record.epoch(),
                    isUnused);
            Departure departure = new Departure(
                    clientId,
                    session.generation(),
                    record.epoch(),
                    SessionRegistry.UNKNOWN,
                    isUnused ? 0 : record.expirySeconds(),
                    null);
            decide(departure, new CompletableFuture<>());
        }
    }

    /** A node has ended: the connections of its clients are lost, and their wills are due now or after their delays. Any thread. */
    public void onNodeEnded(String node) {
        for (RegistrarLoop loop : byLoop) {
            loop.eventLoop().execute(() -> loop.transients().onNodeEnded(node));
        }
        for (PersistentSession session : services.persistent().all()) {
            if (session.record().owner().equals(node)) {
                session.decideInBackground(() -> lose(session, node));
            }
        }
    }

    private void lose(PersistentSession session, String node) {
        SessionRecord record = session.record();
        // The client may have connected to another node meanwhile.
        boolean isHeld = services.persistent().held().isHeld(session.bucket());
        if (isHeld && record.owner().equals(node) && session.isAcquired()) {
            var _ = services.wills().onConnectionLost(session, record.expirySeconds(), record.will());
        }
    }
}

package io.heddle.core.session.persistent;

import io.heddle.core.FailureLog;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishService;
import io.heddle.core.session.outbound.SessionMetrics;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the wills of disconnected clients: at once, after their delays, or when their sessions end. The messages of a persistent
 * session's will and the session's record without the will are one commit, so that a killed node publishes the will once. A failed commit
 * is repeated every second, to the recipients of that moment, until it succeeds. Thread-safe; the housekeeping thread checks the delays
 * and repeats commits. Bound: one will for each session.
 */
public final class Wills {
    private static final Logger log = LoggerFactory.getLogger(Wills.class);

    private static final long ASK_AGAIN_MILLIS = 1_000;
    private static final int NEXT_WAITS_SECONDS = 5;
    private static final Duration NEXT_WAITS = Duration.ofSeconds(NEXT_WAITS_SECONDS);
    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("", 0);

    private final PersistentSessions sessions;
    private final PublishService publishService;
    private final ActiveRules rules;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    // Publishes whose commit has failed, or for which there was no room.
    private final Queue<WillPublish> failed = new ConcurrentLinkedQueue<>();
    // Guarded by this.
    private int publishing;

    public Wills(
            PersistentSessions sessions,
            PublishService publishService,
            ActiveRules rules,
            SteadyClock clock,
            SessionMetrics metrics) {
        this.sessions = sessions;
        this.publishService = publishService;
        this.rules = rules;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Publishes the will of a client whose session has ended with its connection. On the event loop of the connection.
     *
     * @return completes on any thread when the will is stored and its retained message in place, when it can't be published, or when this
     *     takes too long; never fails
     */
    public CompletionStage<Void> publish(ClientId clientId, WillMessage will, EventLoop eventLoop) {
        return new TransientWill(clientId, will, eventLoop).publish();
    }

    private PublishMessage message(ClientId clientId, WillMessage will) {
        return PublishMessage.receivedAt(
                clock, clientId, will.topic(), will.qos(), will.retain(), will.properties(), will.payload());
    }

    /**
     * The connection of a client, which had acquired the session, is lost: releases the session. With an expiry of 0 the housekeeping ends
     * the session after the publish of the will. On the loop that owns the session.
     *
     * @param will that is due now or after its delay, or null
     * @return completes when the session's record is durable, together with the will if that is due now
     */
    public CompletionStage<Void> onConnectionLost(
            PersistentSession session, long expirySeconds, @Nullable WillMessage will) {
        session.registrarLoop().assertCurrent();
        if (will == null || (will.delaySeconds() > 0 && expirySeconds > 0)) {
            return sessions.disconnected(session, expirySeconds, will);
        }
        session.stored().beginWillPublish();
        try {
            CompletionStage<Void> written = sessions.disconnected(session, expirySeconds, null);
            var _ = publish(session, will);
            return written;
        } finally {
            sessions.endWillPublish(session);
        }
    }

    /**
     * A client is back: publishes its waiting will if the delay is over; otherwise the new connection discards the will [MQTT-3.1.3-9]. On
     * the loop that owns the session, by its holder.
     *
     * @return false when the will is due and there is no room for it at this moment: the will still waits
     */
    public boolean publishOverdue(PersistentSession session) {
        return publishUntil(session, clock.millis());
    }

    /**
     * A session is about to end: publishes its waiting will regardless of the delay [MQTT-3.1.3-9]. On the loop that owns the session, by its
     * holder.
     *
     * @return false when there is no room for the will at this moment: it still waits
     */
    public boolean publishWaiting(PersistentSession session) {
        return publishUntil(session, Long.MAX_VALUE);
    }

    private boolean publishUntil(PersistentSession session, long dueMillis) {
        session.registrarLoop().assertCurrent();
        session.stored().beginWillPublish();
        try {
            WillMessage will = sessions.waitingWills().takeDue(session, dueMillis);
            return will == null || !isAllowed(session, will) || publish(session, will);
        } finally {
            sessions.endWillPublish(session);
        }
    }

    /**
     * The rules may have changed since the client left. What they say about addresses, groups and attributes is not known any more: then the
     * decision that was taken when the client left stands.
     */
    private boolean isAllowed(PersistentSession session, WillMessage will) {
        RuleSet now = rules.current();
        if (now.needsConnection()
                || now.forClient(new RuleSubject(
                                session.clientId(), session.record().userName(), UNKNOWN))
                        .mayPublish(will.topic(), will.qos(), will.retain())) {
            return true;
        }
        metrics.willsDenied.increment();
        metrics.incidents().willDenied(will.topic().value(), session.clientId());
        return false;
    }

    /**
     * Publishes up to this number of due wills, and up to this number of those whose commit has failed, each on the loop that owns the
     * session.
     */
    public void publishDue(int maximum) {
        long nowMillis = clock.millis();
        for (int i = Math.min(maximum, failed.size()); i > 0; i--) {
            WillPublish next = failed.poll();
            if (next != null && next.repeatMillis <= nowMillis) {
                next.session.decideInBackground(next::repeat);
            } else if (next != null) {
                failed.add(next);
            }
        }
        for (PersistentSession due : sessions.waitingWills().due(nowMillis, maximum)) {
            due.decideInBackground(() -> {
                if (sessions.held().isHeld(due.bucket())) {
                    var _ = publishUntil(due, nowMillis);
                }
            });
        }
    }

    /** Publishes a will that is not in the session's record any more. Returns false when there is no room for it: it waits again. */
    private boolean publish(PersistentSession session, WillMessage will) {
        WillPublish publish = new WillPublish(session, will);
        boolean isAccepted = false;
        try {
            isAccepted = publish.begin();
        } finally {
            if (!isAccepted) {
                sessions.waitingWills().putBack(session, will, clock.millis() + ASK_AGAIN_MILLIS);
                publish.end();
            }
        }
        return isAccepted;
    }

    /**
     * Waits until all publishes of wills are complete; otherwise they are left to the next start. Blocks; for the stop of a node.
     *
     * @throws InterruptedException when the thread is interrupted
     */
    public synchronized void awaitArrival(Duration atMost) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + atMost.toNanos();
        long leftNanos = atMost.toNanos();
        while (publishing > 0 && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = deadlineNanos - System.nanoTime();
        }
    }

    private synchronized void publishing(int change) {
        publishing += change;
        if (publishing == 0) {
            notifyAll();
        }
    }

    /**
     * The publish of one will of a persistent session. Owned by the loop that owns the session, and by the thread of the outcome while a
     * commit is in flight. Charges the memory of the will.
     *
     * <p>States: awaiting the writes of the session's earlier records → committing → ended. After a failed commit, or without room in the
     * first state: pausing → committing.
     */
    private final class WillPublish implements PublishCallback {
        private final PersistentSession session;
        private final WillMessage will;
        private final PublishMessage message;
        private OrderFence order = new OrderFence();
        private ClientChange.@Nullable OfSession change;
        private long repeatMillis;

        WillPublish(PersistentSession session, WillMessage will) {
            this.session = session;
            this.will = will;
            this.message = message(session.clientId(), will);
            session.stored().beginWillPublish();
            sessions.waitingWills().charge(will);
            sessions.held().begin(session.bucket());
            publishing(1);
        }

        /** Returns false when there is no room for the will at this moment, or this node may not know all subscriptions. */
        boolean begin() {
            if (session.stored().isWriteInFlight()) {
                session.stored()
                        .whenWritten()
                        .thenRun(() -> session.registrarLoop().execute(this::repeat));
                return true;
            }
            return commit();
        }

        void repeat() {
            session.registrarLoop().assertCurrent();
            if (!commit()) {
                pause();
            }
        }

        private boolean commit() {
            // The fence of a failed commit is broken.
            order = new OrderFence();
            change = session.stored().changeWithWill();
            PublishOutcome outcome = publishService.publish(message, this);
            if (outcome instanceof PublishOutcome.Routed) {
                // The session has ended, and no recipient is stored.
                published();
            }
            return !(outcome instanceof PublishOutcome.Refused);
        }

        private void pause() {
            repeatMillis = clock.millis() + ASK_AGAIN_MILLIS;
            failed.add(this);
        }

        private void published() {
            metrics.willsPublished.increment();
            end();
        }

        void end() {
            sessions.waitingWills().release(will);
            sessions.endWillPublish(session);
            sessions.held().end(session.bucket());
            publishing(-1);
        }

        @Override
        public @Nullable LogAppend marker() {
            ClientChange.OfSession written = change;
            return written == null ? null : new LogAppend.ToClients(session.bucket(), written);
        }

        @Override
        public @Nullable OrderFence order() {
            return order;
        }

        @Override
        public void onDurable(PublishOutcome outcome, @Nullable Backlog backlog) {
            if (change != null) {
                session.stored().onCommittedWithWill(change);
            }
            published();
        }

        @Override
        public void onFailed(Throwable reason) {
            FailureLog.warn(
                    log,
                    "Could not commit a will with the record of its session; the commit is retried: clientId="
                            + session.clientId(),
                    reason);
            pause();
        }
    }

    /**
     * The publish of the will of a session that has ended with its connection. The client's next connection waits for it, because what that
     * connection publishes must follow the will. Owned by the event loop of the connection; outcomes arrive on other threads. Charges the memory
     * of the will.
     *
     * <p>States: publishing → ended. Bound: the next connection waits for {@value Wills#NEXT_WAITS_SECONDS} seconds at most, half of the time in which its CONNECT is answered.
     */
    private final class TransientWill implements PublishCallback {
        private final WillMessage will;
        private final PublishMessage message;
        private final EventLoop eventLoop;
        private final CompletableFuture<Void> inPlace = new CompletableFuture<>();

        TransientWill(ClientId clientId, WillMessage will, EventLoop eventLoop) {
            this.will = will;
            this.message = message(clientId, will);
            this.eventLoop = eventLoop;
            sessions.waitingWills().charge(will);
            publishing(1);
        }

        CompletionStage<Void> publish() {
            eventLoop.assertCurrent();
            proceed();
            if (!inPlace.isDone()) {
                EventLoop.Timer limit = eventLoop.schedule(NEXT_WAITS, this::expire);
                var _ = inPlace.thenRun(limit::cancel);
            }
            return inPlace;
        }

        private void proceed() {
            boolean isFault = true;
            try {
                switch (publishService.publish(message, this)) {
                    case PublishOutcome.Routed _ -> published();
                    // Counted and logged by the service.
                    case PublishOutcome.Refused _ -> end();
                    case PublishOutcome.Pending _ -> {
                        // The outcome follows.
                    }
                }
                isFault = false;
            } finally {
                if (isFault) {
                    end();
                }
            }
        }

        private void expire() {
            if (inPlace.complete(null)) {
                metrics.willsLate.increment();
            }
        }

        private void published() {
            metrics.willsPublished.increment();
            end();
        }

        private void end() {
            sessions.waitingWills().release(will);
            publishing(-1);
            inPlace.complete(null);
        }

        @Override
        public void onDurable(PublishOutcome outcome, @Nullable Backlog backlog) {
            published();
        }

        @Override
        public void onFailed(Throwable reason) {
            FailureLog.warn(
                    log,
                    "Could not store the will of a client whose session has ended; it may be lost: clientId="
                            + message.publisher(),
                    reason);
            end();
        }
    }
}

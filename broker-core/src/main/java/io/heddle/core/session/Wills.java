package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishCallback;
import io.heddle.core.publish.PublishOutcome;
import io.heddle.core.publish.PublishService;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the wills of clients that are gone: at once, after their delays, or when their sessions end. The will of a persistent
 * session stays in what is stored of it until it has arrived. Thread-safe; delays are looked at by the housekeeping thread.
 */
public final class Wills {
    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final PersistentSessions sessions;
    private final PublishService publishService;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    // Guarded by this.
    private int underWay;

    /** Of a node's sessions. */
    public Wills(
            PersistentSessions sessions, PublishService publishService, SteadyClock clock, SessionMetrics metrics) {
        this.sessions = sessions;
        this.publishService = publishService;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** A client's connection is lost, and its session ends with it. */
    void publish(ClientId clientId, WillMessage will) {
        metrics.willsPublished.increment();
        var _ = publishService.publish(message(clientId, will), null);
    }

    private PublishMessage message(ClientId clientId, WillMessage will) {
        return PublishMessage.receivedAt(
                clock, clientId, will.topic(), will.qos(), will.retain(), will.properties(), will.payload());
    }

    /**
     * A client's connection is lost. The caller holds its session, which is free afterwards; with an expiry of 0 the housekeeping ends
     * it, when the will has arrived.
     *
     * @param will that is due now or after its delay, or null
     * @return completes when the session's record is durable
     */
    CompletionStage<Void> connectionLost(PersistentSession session, long expirySeconds, @Nullable WillMessage will) {
        session.stored().willLeaves();
        try {
            boolean waits = will != null && ((will.delaySeconds() > 0 && expirySeconds > 0) || !publish(session, will));
            return sessions.away(session, expirySeconds, waits ? will : null);
        } finally {
            sessions.willArrived(session, true);
        }
    }

    /**
     * A client is back: publishes the will that waits if its delay is over; otherwise the new connection discards it [MQTT-3.1.3-9].
     * By the holder of the session.
     *
     * @return false when the will is due and there is no room for it at this moment: it still waits
     */
    boolean publishOverdue(PersistentSession session) {
        return publishUntil(session, clock.millis());
    }

    /**
     * A session is about to end: publishes the will that waits, whatever its delay [MQTT-3.1.3-9]. By the holder of the session.
     *
     * @return false when there is no room for it at this moment: it still waits
     */
    boolean publishWaiting(PersistentSession session) {
        return publishUntil(session, Long.MAX_VALUE);
    }

    private boolean publishUntil(PersistentSession session, long dueMillis) {
        session.stored().willLeaves();
        try {
            WillMessage will = sessions.waitingWills().takeDue(session, dueMillis);
            if (will == null) {
                return true;
            }
            if (!publish(session, will)) {
                sessions.waitingWills().putBack(session, will, clock.millis() + ASK_AGAIN_MILLIS);
                return false;
            }
            var _ = sessions.write(session);
            return true;
        } finally {
            sessions.willArrived(session, true);
        }
    }

    /** Publishes those that are due, at most so many. */
    void publishDue(int maximum) {
        long nowMillis = clock.millis();
        for (PersistentSession due : sessions.waitingWills().due(nowMillis, maximum)) {
            var _ = publishUntil(due, nowMillis);
        }
    }

    /** Says whether it was taken; otherwise there is no room for it at this moment. */
    private boolean publish(PersistentSession session, WillMessage will) {
        Arrival arrival = new Arrival(session);
        PublishOutcome outcome = null;
        try {
            outcome = publishService.publish(message(session.clientId(), will), arrival);
        } finally {
            if (!(outcome instanceof PublishOutcome.Pending)) {
                arrival.arrived(true);
            }
        }
        if (outcome instanceof PublishOutcome.Refused) {
            return false;
        }
        metrics.willsPublished.increment();
        return true;
    }

    /**
     * Waits until the wills that are on their way have arrived, so that it can be written that they have: otherwise the next start
     * would publish them again. Blocks; for the stop of a node.
     *
     * @throws InterruptedException when the thread is told to stop waiting
     */
    public synchronized void awaitArrival(Duration atMost) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + atMost.toNanos();
        long leftNanos = atMost.toNanos();
        while (underWay > 0 && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = deadlineNanos - System.nanoTime();
        }
    }

    private synchronized void underWay(int change) {
        underWay += change;
        if (underWay == 0) {
            notifyAll();
        }
    }

    /** Hears when the will of a persistent session is where it must survive. */
    private final class Arrival implements PublishCallback {
        private final PersistentSession session;

        Arrival(PersistentSession session) {
            this.session = session;
            session.stored().willLeaves();
            underWay(1);
        }

        void arrived(boolean safe) {
            sessions.willArrived(session, safe);
            underWay(-1);
        }

        @Override
        public @Nullable LogAppend mark() {
            return null;
        }

        /** Nothing follows it. */
        @Override
        public OrderFence order() {
            return new OrderFence();
        }

        @Override
        public void onDurable(PublishOutcome outcome, @Nullable Backlog backlog) {
            arrived(true);
        }

        @Override
        public void onFailed(Throwable reason) {
            arrived(false);
        }
    }
}

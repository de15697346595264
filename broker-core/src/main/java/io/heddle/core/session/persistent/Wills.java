package io.heddle.core.session.persistent;

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
import io.heddle.core.session.outbound.SessionMetrics;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the wills of disconnected clients: at once, after their delays, or when their sessions end. The stored record of a persistent
 * session keeps the will until its publish is complete. Thread-safe; the housekeeping thread checks the delays.
 */
public final class Wills {
    private static final long ASK_AGAIN_MILLIS = 1_000;

    private final PersistentSessions sessions;
    private final PublishService publishService;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    // Guarded by this.
    private int publishing;

    /** Publishes the wills of these sessions. */
    public Wills(
            PersistentSessions sessions, PublishService publishService, SteadyClock clock, SessionMetrics metrics) {
        this.sessions = sessions;
        this.publishService = publishService;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Publishes the will of a client whose session has ended with its connection. */
    public void publish(ClientId clientId, WillMessage will) {
        metrics.willsPublished.increment();
        var _ = publishService.publish(message(clientId, will), null);
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
     * @return completes when the session's record is durable
     */
    public CompletionStage<Void> onConnectionLost(
            PersistentSession session, long expirySeconds, @Nullable WillMessage will) {
        session.registrarLoop().assertCurrent();
        session.stored().beginWillPublish();
        try {
            boolean waits = will != null && ((will.delaySeconds() > 0 && expirySeconds > 0) || !publish(session, will));
            return sessions.disconnected(session, expirySeconds, waits ? will : null);
        } finally {
            sessions.endWillPublish(session, true);
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
            sessions.endWillPublish(session, true);
        }
    }

    /** Publishes up to this number of due wills, each on the loop that owns the session. */
    public void publishDue(int maximum) {
        long nowMillis = clock.millis();
        for (PersistentSession due : sessions.waitingWills().due(nowMillis, maximum)) {
            due.decideInBackground(() -> {
                var _ = publishUntil(due, nowMillis);
            });
        }
    }

    /** Returns whether the will was accepted; if not, there is no room for it at this moment. */
    private boolean publish(PersistentSession session, WillMessage will) {
        WillPublish publish = new WillPublish(session);
        PublishOutcome outcome = null;
        try {
            outcome = publishService.publish(message(session.clientId(), will), publish);
        } finally {
            if (!(outcome instanceof PublishOutcome.Pending)) {
                publish.complete(true);
            }
        }
        if (outcome instanceof PublishOutcome.Refused) {
            return false;
        }
        metrics.willsPublished.increment();
        return true;
    }

    /**
     * Waits until all publishes of wills are complete, so that the records without these wills can be written: otherwise the next start
     * would publish them again. Blocks; for the stop of a node.
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

    /** Receives the outcome of the publish of a persistent session's will. */
    private final class WillPublish implements PublishCallback {
        private final PersistentSession session;

        WillPublish(PersistentSession session) {
            this.session = session;
            session.stored().beginWillPublish();
            publishing(1);
        }

        void complete(boolean safe) {
            sessions.endWillPublish(session, safe);
            publishing(-1);
        }

        @Override
        public @Nullable LogAppend marker() {
            return null;
        }

        @Override
        public @Nullable OrderFence order() {
            return null;
        }

        @Override
        public void onDurable(PublishOutcome outcome, @Nullable Backlog backlog) {
            complete(true);
        }

        @Override
        public void onFailed(Throwable reason) {
            complete(false);
        }
    }
}

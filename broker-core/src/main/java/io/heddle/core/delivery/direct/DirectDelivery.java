package io.heddle.core.delivery.direct;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Delivers messages to sessions on their event loops. Thread-safe.
 *
 * <p>Bound, in bytes for each loop: deliveries from other threads that the loop has not executed yet, and deliveries that wait for a commit,
 * together hold at most the limit plus one message for each calling thread. Above the limit QoS 0 messages are dropped and counted; for other
 * messages the publisher asks {@link #accepts} first. When deliveries to a loop hold half of the limit, {@link #isCongested} asks publishers
 * to pause until only a quarter is left. Deliveries that wait for a commit do not count for congestion, because the loop cannot drain them
 * before the log answers.
 */
@HotPath
public final class DirectDelivery {
    /** The overhead of a task; each recipient adds an entry in each of its two arrays. */
    private static final int TASK_BYTES = 128;

    private static final int RECIPIENT_BYTES = 8;

    // Deliveries queued on each loop.
    private final AtomicLongArray waitingBytes;
    // Deliveries to each loop that wait for a commit.
    private final AtomicLongArray deferredBytes;
    private final long limitBytes;
    private final ClientIncidents incidents;
    private final Counter overloaded;
    private final Ledger ledger;
    // Set at half of the limit and cleared when no loop holds more than a quarter. Only a hint: a race may lose an
    // update.
    private volatile boolean congested;

    /**
     * @param eventLoops the number of loops, at least 1
     * @param limitBytes of the deliveries that wait for one loop, at least 1
     */
    public DirectDelivery(
            int eventLoops, long limitBytes, ClientIncidents incidents, Ledger ledger, MeterRegistry metrics) {
        this.waitingBytes = new AtomicLongArray(eventLoops);
        this.deferredBytes = new AtomicLongArray(eventLoops);
        this.limitBytes = limitBytes;
        this.incidents = incidents;
        this.overloaded = metrics.counter("heddle.messages.dropped", "reason", "event_loop_overloaded");
        this.ledger = ledger;
        for (int i = 0; i < eventLoops; i++) {
            int index = i;
            Gauge.builder("heddle.delivery.waiting.bytes", waitingBytes, waiting -> waiting.get(index))
                    .tag("loop", Integer.toString(index))
                    .register(metrics);
            Gauge.builder("heddle.delivery.deferred.bytes", deferredBytes, deferred -> deferred.get(index))
                    .tag("loop", Integer.toString(index))
                    .register(metrics);
        }
    }

    /** Returns whether there is room for a message to these recipients. */
    public boolean accepts(LoopRecipients recipients) {
        EventLoop loop = recipients.eventLoop();
        return loop.isCurrent() || hasRoom(loop.index());
    }

    /** Returns whether the deliveries that wait for each loop are below the limit. */
    public boolean hasRoom() {
        for (int loop = 0; loop < waitingBytes.length(); loop++) {
            if (waitingBytes.get(loop) >= limitBytes) {
                return false;
            }
        }
        return true;
    }

    /** Returns the limit of the deliveries that wait for one loop. */
    public Limit handoverLimit() {
        return new Limit("heddle.delivery.handover-limit", limitBytes);
    }

    private boolean hasRoom(int loop) {
        return waitingBytes.get(loop) + deferredBytes.get(loop) < limitBytes;
    }

    /** Delivers to the recipients of one loop: at once on the caller's own loop, otherwise in one task on the other loop. */
    public void deliver(PublishMessage message, LoopRecipients recipients) {
        if (recipients.eventLoop().isCurrent()) {
            LoopLedger own = ledger.of(recipients.eventLoop());
            own.routed(recipients.count());
            int count = 0;
            for (int i = 0; i < recipients.count(); i++) {
                count += recipients.session(i).deliver(message, recipients.terms(i)) ? 1 : 0;
            }
            own.delivered(count);
            return;
        }
        queue(message, recipients, false);
    }

    /**
     * Delivers a message of another node to the recipients of one loop in one task, even on the caller's own loop: successive messages keep
     * their order although the calling loop changes.
     */
    public void receive(PublishMessage message, LoopRecipients recipients) {
        queue(message, recipients, true);
    }

    private void queue(PublishMessage message, LoopRecipients recipients, boolean received) {
        int loop = recipients.eventLoop().index();
        if (message.qos() == QoS.AT_MOST_ONCE && !hasRoom(loop)) {
            overloaded.increment(recipients.count());
            incidents.dropped(
                    "event_loop_overloaded",
                    "more than heddle.delivery.handover-limit waits for an event loop of subscribers; the publisher is",
                    message.publisher());
            return;
        }
        handOver(recipients.eventLoop(), new Handover(message, recipients, received));
    }

    private void handOver(EventLoop eventLoop, Handover handover) {
        if (waitingBytes.addAndGet(eventLoop.index(), handover.bytes()) >= limitBytes / 2 && !congested) {
            congested = true;
        }
        eventLoop.execute(handover);
        ledger.add(Flow.HANDED_OVER, handover.sessions.length);
    }

    /** Returns whether publishers must pause until an event loop has caught up with its deliveries. Any thread. */
    public boolean isCongested() {
        if (!congested) {
            return false;
        }
        for (int loop = 0; loop < waitingBytes.length(); loop++) {
            if (waitingBytes.get(loop) > limitBytes / 4) {
                return true;
            }
        }
        congested = false;
        return false;
    }

    /** Copies the recipients of one loop for a later delivery. */
    public Later later(PublishMessage message, LoopRecipients recipients) {
        EventLoop eventLoop = recipients.eventLoop();
        Handover handover = new Handover(message, recipients, false);
        deferredBytes.addAndGet(eventLoop.index(), handover.bytes());
        return new Later(eventLoop, handover);
    }

    /** A delivery that waits for a commit. One of its methods is called once, on any thread. */
    public final class Later {
        private final EventLoop eventLoop;
        private final Handover handover;

        private Later(EventLoop eventLoop, Handover handover) {
            this.eventLoop = eventLoop;
            this.handover = handover;
        }

        public void deliver() {
            deferredBytes.addAndGet(eventLoop.index(), -handover.bytes());
            handOver(eventLoop, handover);
        }

        /** Drops the delivery, whose publisher gets no acknowledgement and sends the message again. */
        public void cancel() {
            deferredBytes.addAndGet(eventLoop.index(), -handover.bytes());
        }
    }

    /** A delivery to another loop. The recipients are copied because the plan is reused for the next message. */
    private final class Handover implements Runnable {
        private final PublishMessage message;
        private final LocalSession[] sessions;
        private final DeliveryTerms[] terms;
        private final EventLoop loop;
        private final boolean received;

        Handover(PublishMessage message, LoopRecipients recipients, boolean received) {
            this.message = message;
            this.received = received;
            this.loop = recipients.eventLoop();
            this.sessions = new LocalSession[recipients.count()];
            this.terms = new DeliveryTerms[recipients.count()];
            for (int i = 0; i < sessions.length; i++) {
                sessions[i] = recipients.session(i);
                terms[i] = recipients.terms(i);
            }
        }

        long bytes() {
            return TASK_BYTES + message.heldBytes() + (long) RECIPIENT_BYTES * sessions.length;
        }

        @Override
        public void run() {
            waitingBytes.addAndGet(loop.index(), -bytes());
            LoopLedger own = ledger.of(loop);
            own.taken(sessions.length, received);
            int count = 0;
            for (int i = 0; i < sessions.length; i++) {
                count += sessions[i].deliver(message, terms[i]) ? 1 : 0;
            }
            own.delivered(count);
        }
    }
}

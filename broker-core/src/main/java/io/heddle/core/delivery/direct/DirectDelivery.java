package io.heddle.core.delivery.direct;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
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
 * Hands messages to sessions on their event loops. Any thread may call it.
 *
 * <p>Bound: messages that other threads handed to a loop and it has not taken yet, and deliveries to it that wait for a commit, hold at
 * most the limit, counted in bytes, plus one message for each calling thread. Above it QoS 0 messages are dropped and counted; for other
 * messages the publisher has asked {@link #accepts} first. When messages handed to a loop hold half of the limit, {@link #isCongested}
 * asks publishers to pause until a quarter is left. Deliveries that wait for a commit are not among these: no loop takes them before the log answers.
 */
@HotPath
public final class DirectDelivery {
    /** What a task costs besides the message: itself, and an entry in each of its two arrays for a recipient. */
    private static final int TASK_BYTES = 128;

    private static final int RECIPIENT_BYTES = 8;

    // Handed to a loop.
    private final AtomicLongArray waitingBytes;
    // Waiting for a commit before they are handed to a loop.
    private final AtomicLongArray deferredBytes;
    private final long limitBytes;
    private final Counter overloaded;
    private final Counter delivered;
    // A hint, set at half of the limit and cleared when no loop has more than a quarter left. A race may lose one
    // change of it.
    private volatile boolean congested;

    /**
     * Delivery to the loops of a node.
     *
     * @param eventLoops how many loops there are, at least 1
     * @param limitBytes the most that may wait for one of them, at least 1
     */
    public DirectDelivery(int eventLoops, long limitBytes, MeterRegistry metrics) {
        this.waitingBytes = new AtomicLongArray(eventLoops);
        this.deferredBytes = new AtomicLongArray(eventLoops);
        this.limitBytes = limitBytes;
        this.overloaded = metrics.counter("heddle.messages.dropped", "reason", "event_loop_overloaded");
        this.delivered = metrics.counter("heddle.messages.delivered");
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

    /** Whether a message for these recipients would not be dropped. */
    public boolean accepts(LoopRecipients recipients) {
        EventLoop loop = recipients.eventLoop();
        return loop.isCurrent() || hasRoom(loop.index());
    }

    private boolean hasRoom(int loop) {
        return waitingBytes.get(loop) + deferredBytes.get(loop) < limitBytes;
    }

    /** Delivers to the recipients of one loop: at once when it is the caller's own, otherwise in one task on that loop. */
    public void deliver(PublishMessage message, LoopRecipients recipients) {
        if (recipients.eventLoop().isCurrent()) {
            int count = 0;
            for (int i = 0; i < recipients.count(); i++) {
                count += recipients.session(i).deliver(message, recipients.terms(i)) ? 1 : 0;
            }
            countDelivered(count);
            return;
        }
        int loop = recipients.eventLoop().index();
        if (message.qos() == QoS.AT_MOST_ONCE && !hasRoom(loop)) {
            overloaded.increment(recipients.count());
            return;
        }
        handOver(recipients.eventLoop(), new Handover(message, recipients, loop));
    }

    private void handOver(EventLoop eventLoop, Handover handover) {
        if (waitingBytes.addAndGet(eventLoop.index(), handover.bytes()) >= limitBytes / 2 && !congested) {
            congested = true;
        }
        eventLoop.execute(handover);
    }

    /** Whether so much waits for an event loop that publishers have to pause until it has caught up. Any thread may ask. */
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

    /** Once for all copies of a message on a loop: a counter that threads share costs more than the rest of a delivery's steps. */
    private void countDelivered(int count) {
        if (count > 0) {
            delivered.increment(count);
        }
    }

    /** Takes the recipients of one loop as they are now, to deliver to them later. */
    public Later later(PublishMessage message, LoopRecipients recipients) {
        EventLoop eventLoop = recipients.eventLoop();
        Handover handover = new Handover(message, recipients, eventLoop.index());
        deferredBytes.addAndGet(eventLoop.index(), handover.bytes());
        return new Later(eventLoop, handover);
    }

    /** A delivery that waits for something. Any thread may call one of its methods, once. */
    public final class Later {
        private final EventLoop eventLoop;
        private final Handover handover;

        private Later(EventLoop eventLoop, Handover handover) {
            this.eventLoop = eventLoop;
            this.handover = handover;
        }

        /** Delivers now. */
        public void deliver() {
            deferredBytes.addAndGet(eventLoop.index(), -handover.bytes());
            handOver(eventLoop, handover);
        }

        /** Does not deliver: whoever sent the message has not been told that it was taken. */
        public void forget() {
            deferredBytes.addAndGet(eventLoop.index(), -handover.bytes());
        }
    }

    /** The recipients of another loop, copied out of the plan, which its thread is about to reuse. */
    private final class Handover implements Runnable {
        private final PublishMessage message;
        private final LocalSession[] sessions;
        private final DeliveryTerms[] terms;
        private final int loop;

        Handover(PublishMessage message, LoopRecipients recipients, int loop) {
            this.message = message;
            this.loop = loop;
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
            waitingBytes.addAndGet(loop, -bytes());
            int count = 0;
            for (int i = 0; i < sessions.length; i++) {
                count += sessions[i].deliver(message, terms[i]) ? 1 : 0;
            }
            countDelivered(count);
        }
    }
}

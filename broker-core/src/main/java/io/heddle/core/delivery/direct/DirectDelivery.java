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
 * <p>Bound: what other threads handed to a loop and it has not taken yet is at most the limit, counted in bytes, plus one message
 * for each calling thread. From half of it on, {@link #isCongested} asks publishers to pause. Above it QoS 0 messages are dropped
 * and counted; for other messages the publisher has asked {@link #accepts} first.
 */
@HotPath
public final class DirectDelivery {
    /** What a task costs besides the message: itself, and an entry in each of its two arrays for a recipient. */
    private static final int TASK_BYTES = 128;

    private static final int RECIPIENT_BYTES = 8;

    private final AtomicLongArray waitingBytes;
    private final long limitBytes;
    private final Counter overloaded;
    private final Counter delivered;
    // A hint: each loop decides for itself alone.
    private volatile boolean congested;

    /**
     * Delivery to the loops of a node.
     *
     * @param eventLoops how many loops there are, at least 1
     * @param limitBytes the most that may wait for one of them, at least 1
     */
    public DirectDelivery(int eventLoops, long limitBytes, MeterRegistry metrics) {
        this.waitingBytes = new AtomicLongArray(eventLoops);
        this.limitBytes = limitBytes;
        this.overloaded = metrics.counter("heddle.messages.dropped", "reason", "event_loop_overloaded");
        this.delivered = metrics.counter("heddle.messages.delivered");
        for (int i = 0; i < eventLoops; i++) {
            int index = i;
            Gauge.builder("heddle.delivery.waiting.bytes", waitingBytes, waiting -> waiting.get(index))
                    .tag("loop", Integer.toString(index))
                    .register(metrics);
        }
    }

    /** Whether a message for these recipients would not be dropped. */
    public boolean accepts(LoopRecipients recipients) {
        EventLoop loop = recipients.eventLoop();
        return loop.isCurrent() || waitingBytes.get(loop.index()) < limitBytes;
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
        if (message.qos() == QoS.AT_MOST_ONCE && waitingBytes.get(loop) >= limitBytes) {
            overloaded.increment(recipients.count());
            return;
        }
        Handover handover = new Handover(message, recipients, loop);
        if (waitingBytes.addAndGet(loop, handover.bytes()) >= limitBytes / 2 && !congested) {
            congested = true;
        }
        recipients.eventLoop().execute(handover);
    }

    /** Whether so much waits for an event loop that publishers have to pause until it has caught up. Any thread may ask. */
    public boolean isCongested() {
        return congested;
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
        waitingBytes.addAndGet(eventLoop.index(), handover.bytes());
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
            eventLoop.execute(handover);
        }

        /** Does not deliver: whoever sent the message has not been told that it was taken. */
        public void forget() {
            waitingBytes.addAndGet(eventLoop.index(), -handover.bytes());
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
            if (waitingBytes.addAndGet(loop, -bytes()) <= limitBytes / 4 && congested) {
                congested = false;
            }
            int count = 0;
            for (int i = 0; i < sessions.length; i++) {
                count += sessions[i].deliver(message, terms[i]) ? 1 : 0;
            }
            countDelivered(count);
        }
    }
}

package io.heddle.perf.load.traffic;

import io.heddle.perf.load.accounting.Flows;
import io.heddle.perf.load.accounting.Latencies;
import io.heddle.perf.load.accounting.Pace;
import io.heddle.perf.load.accounting.SubscriberMeans;
import io.heddle.perf.load.accounting.Windows;
import io.heddle.perf.load.wire.Stamp;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of publishers and subscribers of a load: the accounts, and the publishers that can send. Owner: the thread that runs the
 * load. States: idle, running, stopped. Bounded by the plan.
 */
final class Traffic {
    private static final int FIRST_ERROR_CODE = 0x80;

    private final MessagePlan plan;
    private final int run;
    private final long[] published;
    private final Flows flows;
    private final Latencies deliveryLatencies = new Latencies();
    private final SubscriberMeans subscriberMeans;
    private final Latencies acknowledgementLatencies = new Latencies();
    // Null at a fixed rate.
    private final @Nullable Windows windows;
    // Null in the closed loop, and before the start.
    private @Nullable Pace pace;
    private long issued;
    private boolean running;
    // Publishers that may be able to send, each once, in wake-up order.
    private final int[] wakeable;
    private final boolean[] awake;
    private int awakeCount;
    private long publishedTotal;
    private long acknowledged;
    private long refused;
    private long foreign;
    private final Map<String, Integer> breaks = new TreeMap<>();
    private int broken;

    /**
     * An idle load.
     *
     * @param run distinguishes its messages from those of other invocations
     */
    Traffic(MessagePlan plan, int run) {
        this.plan = plan;
        this.run = run;
        published = new long[plan.groups().publishers()];
        flows = new Flows(plan.groups(), published);
        subscriberMeans = new SubscriberMeans(plan.groups().subscribers());
        windows = plan.isPaced() ? null : new Windows(plan.groups(), plan.window(), published);
        wakeable = new int[published.length];
        awake = new boolean[published.length];
    }

    void start(long nowNanos) {
        running = true;
        if (plan.isPaced()) {
            pace = new Pace(published.length, plan.rate(), nowNanos);
        } else {
            for (int publisher = 0; publisher < published.length; publisher++) {
                wake(publisher);
            }
        }
    }

    /** Stops publishing. */
    void stop() {
        running = false;
        awakeCount = 0;
    }

    /** Lets each publisher that can send do so, with one write each. */
    void pump(Publisher[] publishers, long nowNanos) {
        if (!running) {
            return;
        }
        if (pace != null) {
            long due = pace.dueBy(nowNanos);
            for (; issued < due; issued++) {
                Publisher next = publishers[pace.publisherOf(issued)];
                next.addDue();
                wake(next.number());
            }
        }
        // A publisher that is woken meanwhile has had its turn, and takes a slot that has been read.
        int count = awakeCount;
        awakeCount = 0;
        for (int i = 0; i < count; i++) {
            int publisher = wakeable[i];
            awake[publisher] = false;
            publishers[publisher].send();
        }
    }

    /** The due time of the next message, or {@code none} in the closed loop. */
    long nextDueNanos(long none) {
        return pace == null ? none : pace.dueNanos(issued);
    }

    void wake(int publisher) {
        if (running && !awake[publisher]) {
            awake[publisher] = true;
            wakeable[awakeCount++] = publisher;
        }
    }

    /** The number of the publisher's next message. */
    long nextSequence(int publisher) {
        return published[publisher];
    }

    boolean windowIsOpen(int publisher) {
        return windows != null && windows.isOpen(publisher);
    }

    /** The intended send time of a message. */
    long intendedNanos(int publisher, long sequence, long nowNanos) {
        return pace == null ? nowNanos : pace.dueNanos(publisher, sequence);
    }

    /** Records a sent message. */
    void sent(int publisher, long sequence) {
        if (windows != null) {
            windows.sent(publisher, sequence);
        }
        published[publisher] = sequence + 1;
        publishedTotal++;
    }

    void delivered(int subscriber, ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        if (payloadLength != plan.payloadBytes() || Stamp.run(in, payloadAt) != run) {
            foreign++;
            return;
        }
        int publisher = Stamp.publisher(in, payloadAt);
        long sequence = Stamp.sequence(in, payloadAt);
        if (flows.delivered(subscriber, publisher, sequence)) {
            long nanos = nowNanos - Stamp.intendedNanos(in, payloadAt);
            deliveryLatencies.record(nanos);
            subscriberMeans.record(subscriber, nanos);
            if (windows != null && windows.delivered(publisher, sequence)) {
                wake(publisher);
            }
        }
    }

    void acknowledged(long nanos, int reasonCode) {
        if (reasonCode >= FIRST_ERROR_CODE) {
            refused++;
        } else {
            acknowledged++;
            acknowledgementLatencies.record(nanos);
        }
    }

    void broken(String reason) {
        broken++;
        breaks.merge(reason, 1, Integer::sum);
    }

    /** Opens windows without progress for too long. */
    void giveUp(long nowNanos) {
        if (windows != null && running) {
            for (int publisher = 0; publisher < published.length; publisher++) {
                if (windows.giveUp(publisher, nowNanos, plan.giveUp().toNanos())) {
                    wake(publisher);
                }
            }
        }
    }

    MessagePlan plan() {
        return plan;
    }

    int run() {
        return run;
    }

    Flows flows() {
        return flows;
    }

    Latencies deliveryLatencies() {
        return deliveryLatencies;
    }

    SubscriberMeans subscriberMeans() {
        return subscriberMeans;
    }

    Latencies acknowledgementLatencies() {
        return acknowledgementLatencies;
    }

    long published() {
        return publishedTotal;
    }

    /** The number of messages that the broker has neither acknowledged nor refused. */
    long unacknowledged() {
        return plan.qos() == 0 ? 0 : publishedTotal - acknowledged - refused;
    }

    /** The number of messages that the broker refused with an error code. */
    long refused() {
        return refused;
    }

    /** The number of messages of other invocations, or of a wrong size. */
    long foreign() {
        return foreign;
    }

    /** The number of messages that were given up because they were not delivered in time. */
    long givenUp() {
        return windows == null ? 0 : windows.givenUp();
    }

    int broken() {
        return broken;
    }

    /** The number of broken connections by reason. */
    Map<String, Integer> breaks() {
        return breaks;
    }
}

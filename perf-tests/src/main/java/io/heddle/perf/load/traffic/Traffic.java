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
 * What publishers and subscribers of a load share: the accounts, and which publishers may go on. Owner: the thread that runs
 * the load. States: silent, running, silent again. Bounded by the plan.
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
    // Publishers that may be able to send, each once, in the order in which they became so.
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
     * Silent.
     *
     * @param run tells its messages from those of other invocations
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

    /** From now on nothing is published. */
    void stop() {
        running = false;
        awakeCount = 0;
    }

    /** Lets the publishers that can send do so, each with one write. */
    void pump(Publisher[] publishers, long nowNanos) {
        if (!running) {
            return;
        }
        if (pace != null) {
            long due = pace.dueBy(nowNanos);
            for (; issued < due; issued++) {
                Publisher next = publishers[pace.publisherOf(issued)];
                next.owe();
                wake(next.number());
            }
        }
        // Whoever is woken meanwhile has had its turn and takes a place that has been read.
        int count = awakeCount;
        awakeCount = 0;
        for (int i = 0; i < count; i++) {
            int publisher = wakeable[i];
            awake[publisher] = false;
            publishers[publisher].send();
        }
    }

    /** When the next message is due, or {@code none} in the closed loop. */
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

    /** When the message was to be sent. */
    long intendedNanos(int publisher, long sequence, long nowNanos) {
        return pace == null ? nowNanos : pace.dueNanos(publisher, sequence);
    }

    /** A message goes out. */
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

    /** Opens windows that have stood still for too long. */
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

    /** Messages for which the broker has not answered yet. */
    long unacknowledged() {
        return plan.qos() == 0 ? 0 : publishedTotal - acknowledged - refused;
    }

    /** Messages that the broker answered with an error. */
    long refused() {
        return refused;
    }

    /** Messages of somebody else, or of a wrong size. */
    long foreign() {
        return foreign;
    }

    /** Messages that were given up because they stood still. */
    long givenUp() {
        return windows == null ? 0 : windows.givenUp();
    }

    int broken() {
        return broken;
    }

    /** How often connections broke, by reason. */
    Map<String, Integer> breaks() {
        return breaks;
    }
}

package io.heddle.core.operator.trace;

import io.heddle.core.client.event.EventRate;
import io.heddle.core.operator.trace.TraceFormat.Question;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Supplier;

/**
 * One trace at one node: the events that the asking node has not yet confirmed. Thread-safe: one lock, held for an event or a copy of the events.
 *
 * <p>Bounds: {@value #EVENTS_PER_SECOND} events a second, further ones are suppressed and counted; {@value #EVENTS} events of {@value #BYTES}
 * bytes in memory, further ones are lost and counted. It is abandoned when it is not asked for {@link #ABANDONED_AFTER}.
 */
final class NodeTrace {
    static final int EVENTS_PER_SECOND = 500;
    static final int EVENTS = 2_000;
    static final long BYTES = 4 << 20;
    static final Duration ABANDONED_AFTER = Duration.ofSeconds(10);

    private final String administrator;
    private final TraceFilter filter;
    private final boolean hasPayloads;
    private final PacketValues packets;
    private final int maximumEventBytes;
    private final long beginNanos;
    private volatile long askedNanos;
    // Asked before the lock, because a trace may match every packet of the node.
    private final EventRate rate;
    // Guarded by this.
    private final ArrayDeque<TraceEvent> events = new ArrayDeque<>();
    private long confirmed;
    private long heldBytes;
    private long lost;

    enum Outcome {
        KEPT,
        SUPPRESSED,
        LOST
    }

    /**
     * The events that are not confirmed.
     *
     * @param confirmed the number of those before them
     * @param suppressed the number of events above the rate since the trace has begun
     * @param lost the number of events for which there was no room since then
     */
    record Unconfirmed(long confirmed, List<TraceEvent> events, long suppressed, long lost) {}

    /** @param maximumEventBytes larger events are lost */
    NodeTrace(Question asked, TraceFilter filter, int maximumEventBytes, long nowNanos) {
        this.maximumEventBytes = maximumEventBytes;
        this.administrator = asked.administrator();
        this.filter = filter;
        this.hasPayloads = asked.hasPayloads();
        this.packets = new PacketValues(hasPayloads);
        this.beginNanos = nowNanos;
        this.askedNanos = nowNanos;
        this.rate = new EventRate(EVENTS_PER_SECOND, nowNanos);
    }

    String administrator() {
        return administrator;
    }

    TraceFilter filter() {
        return filter;
    }

    boolean hasPayloads() {
        return hasPayloads;
    }

    long beginNanos() {
        return beginNanos;
    }

    PacketValues packets() {
        return packets;
    }

    boolean isAbandoned(long nowNanos) {
        return nowNanos - askedNanos > ABANDONED_AFTER.toNanos();
    }

    /** Adds an event, which is created only if the rate allows it. */
    Outcome add(long nowNanos, Supplier<TraceEvent> event) {
        return rate.tryTake(nowNanos) ? addWithinRate(event) : Outcome.SUPPRESSED;
    }

    private synchronized Outcome addWithinRate(Supplier<TraceEvent> event) {
        if (events.size() == EVENTS || heldBytes >= BYTES) {
            lost++;
            return Outcome.LOST;
        }
        TraceEvent added = event.get();
        int bytes = added.heldBytes();
        if (bytes > maximumEventBytes) {
            lost++;
            return Outcome.LOST;
        }
        events.add(added);
        heldBytes += bytes;
        return Outcome.KEPT;
    }

    /** Forgets events that the asking node has got, and returns the others. */
    synchronized Unconfirmed next(long received, long nowNanos) {
        askedNanos = nowNanos;
        while (confirmed < received && !events.isEmpty()) {
            heldBytes -= events.remove().heldBytes();
            confirmed++;
        }
        return new Unconfirmed(confirmed, List.copyOf(events), rate.suppressed(), lost);
    }
}

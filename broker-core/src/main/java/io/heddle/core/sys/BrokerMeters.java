package io.heddle.core.sys;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Reads the meters of this node for its topics. A meter that does not exist yet is 0. Thread-safe. A call searches all meters, so it takes
 * fractions of a millisecond.
 */
public final class BrokerMeters {
    /** The reasons of {@code heddle.messages.dropped} that stand for a limit on what waits for a client. */
    private static final List<String> DROPPED_BY_LIMITS = List.of(
            "queue_full", "memory_limit", "log_full", "slow_consumer", "event_loop_overloaded", "node_overloaded");

    private final MeterRegistry registry;
    private final LongSupplier nanoTime;
    private final long startedNanos;
    private final Runtime runtime = Runtime.getRuntime();

    /** @param nanoTime the monotonic clock; the uptime begins now */
    public BrokerMeters(MeterRegistry registry, LongSupplier nanoTime) {
        this.registry = registry;
        this.nanoTime = nanoTime;
        this.startedNanos = nanoTime.getAsLong();
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    public NodeFigures figures() {
        return new NodeFigures(
                Duration.ofNanos(nanoTime.getAsLong() - startedNanos).toSeconds(),
                gauge("heddle.sessions.connected"),
                gauge("heddle.sessions.persistent.connected"),
                count("heddle.packets.received"),
                count("heddle.packets.sent"),
                count("heddle.packets.received", "type", "publish"),
                count("heddle.packets.sent", "type", "publish"),
                count("heddle.bytes.received"),
                count("heddle.bytes.sent"));
    }

    /** Returns the messages that were dropped because of a limit on what waits for a client. */
    long dropped() {
        long sum = 0;
        for (String reason : DROPPED_BY_LIMITS) {
            sum += count("heddle.messages.dropped", "reason", reason);
        }
        return sum;
    }

    /** Returns the bytes of the heap that are in use, including objects that the next garbage collection removes. */
    public long heapBytes() {
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Returns the sum of all counters with this name and these tags. */
    public long count(String name, String... tags) {
        double sum = 0;
        for (Counter counter : registry.find(name).tags(tags).counters()) {
            sum += counter.count();
        }
        return (long) sum;
    }

    public long gauge(String name) {
        Gauge gauge = registry.find(name).gauge();
        return gauge == null ? 0 : (long) gauge.value();
    }
}

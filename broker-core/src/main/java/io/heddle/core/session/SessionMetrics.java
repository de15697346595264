package io.heddle.core.session;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** What sessions count. Thread-safe. */
public final class SessionMetrics {
    final Counter delivered;
    final Counter droppedSlowConsumer;
    final Counter droppedTooLarge;
    final Counter droppedDisconnected;
    final Counter takenOver;
    final Counter keepAliveTimeouts;
    final Counter willsPublished;

    private final MeterRegistry registry;

    /** Registers the counters, so that they can be read before the first event. */
    public SessionMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.delivered = registry.counter("heddle.messages.delivered");
        this.droppedSlowConsumer = registry.counter("heddle.messages.dropped", "reason", "slow_consumer");
        this.droppedTooLarge = registry.counter("heddle.messages.dropped", "reason", "packet_too_large");
        this.droppedDisconnected = registry.counter("heddle.messages.dropped", "reason", "disconnected");
        this.takenOver = registry.counter("heddle.sessions.taken.over");
        this.keepAliveTimeouts = registry.counter("heddle.sessions.keep.alive.timeouts");
        this.willsPublished = registry.counter("heddle.wills.published");
    }

    /** Counts a CONNECT by its answer. */
    void connectAnswered(String outcome) {
        registry.counter("heddle.connects", "outcome", outcome).increment();
    }

    <T> void gauge(String name, T observed, ToDoubleFunction<T> value) {
        registry.gauge(name, observed, value);
    }
}

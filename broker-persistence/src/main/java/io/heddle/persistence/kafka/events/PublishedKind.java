package io.heddle.persistence.kafka.events;

import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.client.event.EventRate;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;

/** The rate and the counts of one kind of events. Thread-safe, except for {@link #takeSuppressed}. */
final class PublishedKind {
    private final EventRate rate;
    private final EventCounts counts;
    // Owned by the thread that publishes it.
    private long published;

    PublishedKind(Kind kind, int maximumRate, long nowNanos, MeterRegistry registry) {
        this.rate = new EventRate(maximumRate, nowNanos);
        this.counts = new EventCounts(kind.text(), registry);
        FunctionCounter.builder(EventCounts.NAME, rate, EventRate::suppressed)
                .tags(EventCounts.KIND, kind.text(), EventCounts.OUTCOME, "rate_limited")
                .register(registry);
    }

    EventRate rate() {
        return rate;
    }

    EventCounts counts() {
        return counts;
    }

    /** Returns the number of events above the rate since the last call. */
    long takeSuppressed() {
        long all = rate.suppressed();
        long since = all - published;
        published = all;
        return since;
    }
}

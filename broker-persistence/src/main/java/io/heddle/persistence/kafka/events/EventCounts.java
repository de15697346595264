package io.heddle.persistence.kafka.events;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.jspecify.annotations.Nullable;

/** Counts what became of the events of one kind that were to be sent. Thread-safe. */
final class EventCounts {
    static final String NAME = "heddle.events";
    static final String KIND = "kind";
    static final String OUTCOME = "outcome";

    private final Counter sent;
    private final Counter overloaded;
    private final Counter failed;

    EventCounts(String kind, MeterRegistry registry) {
        this.sent = registry.counter(NAME, KIND, kind, OUTCOME, "sent");
        this.overloaded = registry.counter(NAME, KIND, kind, OUTCOME, "overloaded");
        this.failed = registry.counter(NAME, KIND, kind, OUTCOME, "failed");
    }

    /** @param failure null if Kafka has the event */
    void count(@Nullable Exception failure) {
        if (failure == null) {
            sent.increment();
        } else if (failure instanceof BufferExhaustedException) {
            overloaded.increment();
        } else {
            failed.increment();
        }
    }
}

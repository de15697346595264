package io.heddle.persistence.kafka.application;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counters of the logs of APPLICATION clients. Thread-safe. */
final class ApplicationMetrics {
    final Counter appended;
    final Counter read;
    final Counter topicsCreated;
    final Counter topicsDeleted;
    final Counter topicsFailed;
    final Counter offsetsCommitted;
    final Counter offsetsFailed;
    final Counter droppedOverflow;

    ApplicationMetrics(MeterRegistry registry) {
        this.appended = registry.counter("heddle.applications.appended");
        this.read = registry.counter("heddle.applications.read");
        this.topicsCreated = registry.counter("heddle.applications.topics", "outcome", "created");
        this.topicsDeleted = registry.counter("heddle.applications.topics", "outcome", "deleted");
        this.topicsFailed = registry.counter("heddle.applications.topics", "outcome", "failed");
        this.offsetsCommitted = registry.counter("heddle.applications.offsets", "outcome", "committed");
        this.offsetsFailed = registry.counter("heddle.applications.offsets", "outcome", "failed");
        this.droppedOverflow = registry.counter("heddle.messages.dropped", "reason", "log_full");
    }
}

package io.heddle.core.retained;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** The counters of retained messages. Thread-safe. */
final class RetainedMetrics {
    final Counter stored;
    final Counter removed;
    final Counter expired;
    final Counter repeated;

    private final Counter tooManyMessages;
    private final Counter tooManyBytes;
    private final Counter tooLarge;
    private final Counter tooManyOfClient;

    /** Registers the counters, so that they can be read before the first event. */
    RetainedMetrics(MeterRegistry registry) {
        this.stored = registry.counter("heddle.retained.stored");
        this.removed = registry.counter("heddle.retained.removed");
        this.expired = registry.counter("heddle.retained.expired");
        this.repeated = registry.counter("heddle.retained.repeated");
        this.tooManyMessages = refused(registry, RetainOutcome.Refused.MAXIMUM_MESSAGES);
        this.tooManyBytes = refused(registry, RetainOutcome.Refused.MAXIMUM_BYTES);
        this.tooLarge = refused(registry, RetainOutcome.Refused.MAXIMUM_PAYLOAD);
        this.tooManyOfClient = refused(registry, RetainOutcome.Refused.MAXIMUM_PER_CLIENT);
    }

    private static Counter refused(MeterRegistry registry, RetainOutcome.Refused reason) {
        return registry.counter("heddle.retained.refused", "reason", reason.tag());
    }

    void count(RetainOutcome outcome) {
        switch (outcome) {
            case RetainOutcome.Done.STORED, RetainOutcome.Done.REPLACED -> stored.increment();
            case RetainOutcome.Done.REMOVED -> removed.increment();
            case RetainOutcome.Done.NOTHING_TO_REMOVE -> {}
            case RetainOutcome.Refused.MAXIMUM_MESSAGES -> tooManyMessages.increment();
            case RetainOutcome.Refused.MAXIMUM_BYTES -> tooManyBytes.increment();
            case RetainOutcome.Refused.MAXIMUM_PAYLOAD -> tooLarge.increment();
            case RetainOutcome.Refused.MAXIMUM_PER_CLIENT -> tooManyOfClient.increment();
        }
    }
}

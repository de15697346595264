package io.heddle.app.tracing;

import io.heddle.core.FailureLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts ended spans, and those of them that wait for the collector. Thread-safe. */
final class SpanCounts {
    private static final Logger log = LoggerFactory.getLogger(SpanCounts.class);
    private static final String NAME = "heddle.tracing.spans";
    private static final String OUTCOME = "outcome";

    private final String endpoint;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter sent;
    private final Counter failed;
    private final Counter overloaded;

    SpanCounts(String endpoint, MeterRegistry registry) {
        this.endpoint = endpoint;
        this.sent = registry.counter(NAME, OUTCOME, "sent");
        this.failed = registry.counter(NAME, OUTCOME, "failed");
        this.overloaded = registry.counter(NAME, OUTCOME, "overloaded");
    }

    /** A span has ended. Returns whether there is room for it. */
    boolean tryAdd(int maximum) {
        if (waiting.incrementAndGet() <= maximum) {
            return true;
        }
        waiting.decrementAndGet();
        overloaded.increment();
        return false;
    }

    void sent(int spans) {
        waiting.addAndGet(-spans);
        sent.increment(spans);
    }

    void failed(int spans, @Nullable Throwable reason) {
        waiting.addAndGet(-spans);
        failed.increment(spans);
        FailureLog.warn(
                log,
                "The collector of traces does not accept spans, which are lost; messages are not affected (check the"
                        + " collector, heddle.tracing.endpoint and heddle.tracing.headers): endpoint=" + endpoint,
                reason);
    }
}

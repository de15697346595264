package io.heddle.core.session.registrar.remote;

import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Metrics of the requests to the holders of buckets. Thread-safe.
 *
 * <p>Metrics: {@code heddle.registrar.requests}, {@code heddle.registrar.repeated}, {@code heddle.registrar.waiting}, {@code
 * heddle.registrar.late}.
 */
final class RegistrarMetrics {
    private final MeterRegistry registry;
    private final Counter repeated;
    private final Counter late;
    private final AtomicInteger waiting = new AtomicInteger();

    RegistrarMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.repeated = Counter.builder("heddle.registrar.repeated")
                .description("Requests that were sent again because the holder of the bucket has changed")
                .register(registry);
        this.late = Counter.builder("heddle.registrar.late")
                .description("Sessions that were granted too late or by an earlier holder, and given back")
                .register(registry);
        Gauge.builder("heddle.registrar.waiting", waiting, AtomicInteger::get)
                .description("Requests of this node without an answer")
                .register(registry);
    }

    void asked() {
        waiting.incrementAndGet();
    }

    void opened(OpenOutcome outcome) {
        answered(
                "open",
                switch (outcome) {
                    case OpenOutcome.Opened opened -> opened.isPresent() ? "resumed" : "begun";
                    case OpenOutcome.Transient _ -> "transient";
                    case OpenOutcome.Refused refused -> refused.name().toLowerCase(Locale.ROOT);
                    case OpenOutcome.Unavailable _ -> "unavailable";
                    case OpenOutcome.Moved _ -> "moved";
                });
    }

    void changed(ChangeOutcome outcome) {
        answered(
                "change",
                switch (outcome) {
                    case ChangeOutcome.Changed _ -> "changed";
                    case ChangeOutcome.NotHeld _ -> "not_held";
                    case ChangeOutcome.Failed _ -> "failed";
                    case ChangeOutcome.Moved _ -> "moved";
                });
    }

    void left(boolean isDurable) {
        answered("leave", isDurable ? "left" : "in_doubt");
    }

    private void answered(String kind, String outcome) {
        waiting.decrementAndGet();
        Counter.builder("heddle.registrar.requests")
                .description("Requests of this node to the holders of buckets, by their outcome")
                .tags("kind", kind, "outcome", outcome)
                .register(registry)
                .increment();
    }

    void repeated() {
        repeated.increment();
    }

    void late() {
        late.increment();
    }
}

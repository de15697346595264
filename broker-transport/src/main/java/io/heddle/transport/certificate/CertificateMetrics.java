package io.heddle.transport.certificate;

import io.heddle.transport.certificate.LoadedFiles.Expiry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The metrics of files with certificates. Thread-safe. */
final class CertificateMetrics {
    private final Clock clock;
    private final Counter reloaded;
    private final Counter failed;
    private final MultiGauge expiries;

    CertificateMetrics(Clock clock, MeterRegistry registry) {
        this.clock = clock;
        reloaded = registry.counter("heddle.tls.reloads", "result", "success");
        failed = registry.counter("heddle.tls.reloads", "result", "failure");
        expiries = MultiGauge.builder("heddle.tls.expiry").baseUnit("seconds").register(registry);
    }

    void reloaded() {
        reloaded.increment();
    }

    void failed() {
        failed.increment();
    }

    /** Replaces the gauges. */
    void show(List<LoadedFiles> listeners) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (LoadedFiles listener : listeners) {
            for (Expiry expiry : listener.expiries()) {
                rows.add(MultiGauge.Row.of(
                        Tags.of(
                                "listener",
                                listener.settings().listener(),
                                "kind",
                                expiry.kind(),
                                "subject",
                                expiry.subject()),
                        () -> Duration.between(clock.instant(), expiry.expires())
                                .toSeconds()));
            }
        }
        expiries.register(rows, true);
    }
}

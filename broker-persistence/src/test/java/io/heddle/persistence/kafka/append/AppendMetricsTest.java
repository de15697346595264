package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.heddle.persistence.LogCapture;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

class AppendMetricsTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AppendMetrics metrics = new AppendMetrics(nanos::get, registry);

    @Test
    void failuresAreCountedAndEachLogAndReasonIsLoggedOnceAMinute() {
        try (LogCapture log = LogCapture.of(AppendMetrics.class)) {
            metrics.failed("heddle.buckets", new RecordTooLargeException("17 MB"));
            metrics.failed("heddle.buckets", new RecordTooLargeException("18 MB"));
            metrics.failed("heddle.clients", new RecordTooLargeException("19 MB"));
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            metrics.failed("heddle.buckets", new RecordTooLargeException("20 MB"));

            assertThat(log.events())
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .containsExactly(
                            "Append to heddle.buckets failed: " + RecordTooLargeException.class.getName()
                                    + ": 17 MB; no publisher is acknowledged for it",
                            "Append to heddle.clients failed: " + RecordTooLargeException.class.getName()
                                    + ": 19 MB; no publisher is acknowledged for it, suppressed=1",
                            "Append to heddle.buckets failed: " + RecordTooLargeException.class.getName()
                                    + ": 20 MB; no publisher is acknowledged for it");
        }
        assertThat(registry.get("heddle.kafka.append.failures")
                        .tags("log", "heddle.buckets", "reason", "too_large")
                        .counter()
                        .count())
                .isEqualTo(3);
    }

    @Test
    void failuresOnCloseAreNotLogged() {
        try (LogCapture log = LogCapture.of(AppendMetrics.class)) {
            metrics.failed("heddle.buckets", new LogClosedException());

            assertThat(log.events()).isEmpty();
        }
    }
}

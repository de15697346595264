package io.heddle.core.sys.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.sys.BrokerMeters;
import io.heddle.core.sys.CpuUsage;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicInteger connections =
            Objects.requireNonNull(registry.gauge("heddle.sessions.connected", new AtomicInteger()));
    private Instant time = START;
    private Duration used = Duration.ZERO;
    private final History history = new History(
            registry,
            new BrokerMeters(registry, this::nanos),
            new CpuUsage(() -> Optional.of(used), this::nanos, 2),
            () -> time,
            this::nanos);

    private long nanos() {
        return Duration.between(START, time).toNanos();
    }

    private void record(int seconds) {
        time = time.plusSeconds(seconds);
        history.record();
    }

    private float[] values(Range range, Figure figure) {
        return values(range, figure.key());
    }

    private float[] values(Range range, String figure) {
        return Objects.requireNonNull(
                history.read(range, figure::equals).series().get(figure));
    }

    private static float fromEnd(float[] values, int distance) {
        return values[values.length - 1 - distance];
    }

    @Test
    void countsAreRatesAndGaugesAreValues() {
        record(0);
        registry.counter("heddle.packets.received", "type", "publish").increment(50);
        registry.counter("heddle.packets.received", "type", "connect").increment(7);
        registry.counter("heddle.connects", "outcome", "success").increment(20);
        registry.counter("heddle.connects", "outcome", "not_authorized").increment(10);
        registry.counter("heddle.connects", "outcome", "gone").increment(3);
        connections.set(7);
        used = Duration.ofSeconds(5);
        record(10);

        HistoryPage page = history.read(Range.HOUR, _ -> true);

        assertThat(page.lastMillis()).isEqualTo(START.plusSeconds(10).toEpochMilli());
        assertThat(values(Range.HOUR, Figure.MESSAGES_RECEIVED)).hasSize(360).endsWith(5);
        assertThat(values(Range.HOUR, Figure.CONNECTS)).endsWith(2);
        assertThat(values(Range.HOUR, Figure.CONNECTS_REFUSED)).endsWith(1);
        assertThat(values(Range.HOUR, Figure.CONNECTIONS)).endsWith(7).startsWith(Float.NaN);
        assertThat(values(Range.HOUR, Figure.CPU_PERCENT)).endsWith(25);
        assertThat(values(Range.HOUR, Figure.LATENCY_P99_MILLIS)).endsWith(Float.NaN);
    }

    @Test
    void droppedMessagesHaveAFigureForEachReason() {
        record(0);
        registry.counter("heddle.messages.dropped", "reason", "expired");
        registry.counter("heddle.messages.dropped", "reason", "queue_full").increment(20);
        record(10);

        assertThat(values(Range.HOUR, Figure.MESSAGES_DROPPED)).endsWith(2);
        assertThat(values(Range.HOUR, "dropped.queue_full")).endsWith(2);
        assertThat(history.read(Range.HOUR, _ -> true).series()).doesNotContainKey("dropped.expired");
    }

    @Test
    void aMinuteIsTheMeanOfItsValues() {
        record(0);
        for (int i = 1; i <= 12; i++) {
            connections.set(i);
            record(10);
        }

        HistoryPage page = history.read(Range.DAY, _ -> true);

        assertThat(page.lastMillis()).isEqualTo(START.plusSeconds(120).toEpochMilli());
        assertThat(values(Range.DAY, Figure.CONNECTIONS)).hasSize(1_440).endsWith(3.5f, 9.5f);
    }

    @Test
    void aStepThatIsSkippedBetweenTwoRecordingsHasTheValueOfTheNextOne() {
        record(0);
        connections.set(1);
        record(14);
        connections.set(2);
        // The number of the step is rounded: this one is two steps later.
        record(11);

        assertThat(values(Range.HOUR, Figure.CONNECTIONS)).endsWith(Float.NaN, 1, 2, 2);
    }

    @Test
    void aPauseHasNoValues() {
        record(0);
        connections.set(1);
        record(10);
        connections.set(2);
        record(50);

        assertThat(values(Range.HOUR, Figure.CONNECTIONS)).endsWith(1, Float.NaN, Float.NaN, Float.NaN, Float.NaN, 2);
    }

    @Test
    void valuesOfTheDayBeforeAreNotShownAfterALongPause() {
        record(0);
        connections.set(1);
        for (int i = 0; i < 360; i++) {
            record(10);
        }
        record((int) Duration.ofHours(23).plusMinutes(30).toSeconds());

        float[] day = values(Range.DAY, Figure.CONNECTIONS);
        assertThat(day[0]).isEqualTo(1);
        assertThat(fromEnd(day, 1)).isNaN();
        assertThat(fromEnd(day, 600)).isNaN();
        assertThat(values(Range.HOUR, Figure.CONNECTIONS)[0]).isNaN();
    }

    @Test
    void aClockThatIsSetBackByLessThanAStepOverwritesNothing() {
        record(0);
        connections.set(1);
        record(10);
        connections.set(2);
        time = START.plusSeconds(5);
        history.record();

        assertThat(values(Range.HOUR, Figure.CONNECTIONS)).endsWith(1);
    }

    @Test
    void aClockThatIsSetBackBeginsAnew() {
        record(0);
        connections.set(1);
        record(86_400);
        connections.set(2);
        time = START.plusSeconds(3_600);
        history.record();
        record(10);

        assertThat(history.read(Range.HOUR, _ -> true).lastMillis())
                .isEqualTo(START.plusSeconds(3_610).toEpochMilli());
        assertThat(values(Range.HOUR, Figure.CONNECTIONS)).endsWith(Float.NaN, 2, 2);
    }

    @Test
    void percentilesComeFromTheMessagesSinceTheRecordingBefore() {
        Timer latency = Timer.builder("heddle.delivery.latency")
                .serviceLevelObjectives(Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(100))
                .register(registry);
        latency.record(Duration.ofMillis(90));
        record(0);
        for (int i = 0; i < 99; i++) {
            latency.record(Duration.ofMillis(5));
        }
        latency.record(Duration.ofMillis(50));
        record(10);

        assertThat(values(Range.HOUR, Figure.LATENCY_P50_MILLIS)[359]).isBetween(5f, 6f);
        assertThat(values(Range.HOUR, Figure.LATENCY_P99_MILLIS)).endsWith(10);
    }

    @Test
    void aPercentileIsInterpolatedInItsBucket() {
        SortedMap<Double, Double> below = new TreeMap<>(Map.of(1.0, 10.0, 2.0, 20.0, 4.0, 20.0));

        assertThat(LatencyBuckets.percentile(below, 0.25)).isEqualTo(0.5);
        assertThat(LatencyBuckets.percentile(below, 0.75)).isEqualTo(1.5);
        assertThat(LatencyBuckets.percentile(below, 1)).isEqualTo(2);
        assertThat(LatencyBuckets.percentile(new TreeMap<>(), 0.5)).isNaN();
    }
}

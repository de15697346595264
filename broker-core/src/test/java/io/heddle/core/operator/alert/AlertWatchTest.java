package io.heddle.core.operator.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.operator.alert.Alert.Severity;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AlertWatchTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong(-5);

    private AlertWatch watch(String condition, String holds) {
        return new AlertWatch(
                registry,
                AlertRules.parse("# A comment.\n\nTest CRITICAL " + holds + " /nodes\n" + condition
                        + "\n{value} of {subject} ({percent}, {time}).\nMend it.\n"),
                nanos::get);
    }

    /** Evaluates after each ten seconds of a time. */
    private void evaluate(AlertWatch watch, Duration time) {
        for (long i = 0; i < time.dividedBy(AlertWatch.INTERVAL); i++) {
            nanos.addAndGet(AlertWatch.INTERVAL.toNanos());
            watch.evaluate();
        }
    }

    private static List<String> summaries(AlertWatch watch) {
        return watch.alerts().stream().map(Alert::summary).toList();
    }

    private AtomicLong gauge(String name, String... tags) {
        AtomicLong value = new AtomicLong();
        Gauge.builder(name, value, AtomicLong::doubleValue)
                .tags(tags)
                .strongReference(true)
                .register(registry);
        return value;
    }

    @Test
    void anAlertFiresWhenItsConditionHasHeldAndEndsWithIt() {
        AtomicLong usable = gauge("store.usable", "store", "redis");
        gauge("store.usable", "store", "kafka").set(1);
        AlertWatch watch = watch("latest store.usable{by~store} = 0", "1m");

        evaluate(watch, Duration.ofMinutes(1));
        assertThat(watch.alerts()).isEmpty();
        evaluate(watch, Duration.ofSeconds(10));

        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        Alert alert = watch.alerts().getFirst();
        assertThat(watch.alerts()).hasSize(1);
        assertThat(alert)
                .isEqualTo(new Alert(
                        "Test",
                        Severity.CRITICAL,
                        Duration.ofSeconds(63),
                        "0 of redis (0 %, 0 s).",
                        "Mend it.",
                        "/nodes"));

        usable.set(1);
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(watch.alerts()).isEmpty();
        usable.set(0);
        evaluate(watch, Duration.ofMinutes(1));
        assertThat(watch.alerts()).as("the time begins again").isEmpty();
    }

    @Test
    void anIncreaseCountsACounterThatBeginsToExist() {
        AlertWatch watch = watch("increase 1m faults+others > 0", "0s");
        evaluate(watch, Duration.ofSeconds(10));
        registry.counter("faults").increment(2);
        registry.counter("others").increment();

        evaluate(watch, Duration.ofSeconds(10));
        assertThat(summaries(watch)).containsExactly("3 of  (300 %, 3 s).");
        evaluate(watch, Duration.ofSeconds(50));
        assertThat(watch.alerts()).hasSize(1);
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(watch.alerts()).isEmpty();
    }

    @Test
    void whatWasCountedBeforeTheFirstEvaluationIsNoIncrease() {
        registry.counter("faults").increment(7);
        AlertWatch watch = watch("increase 1m faults > 0", "0s");

        evaluate(watch, Duration.ofMinutes(1));

        assertThat(watch.alerts()).isEmpty();
    }

    @Test
    void aRateIsOfTheSubjectsWhoseTagsMatch() {
        AlertWatch watch = watch("rate 5m dropped{reason~queue_full|log_full;by~reason} > 1", "0s");
        evaluate(watch, Duration.ofSeconds(10));
        for (int i = 0; i < 6; i++) {
            registry.counter("dropped", "reason", "queue_full").increment(25);
            registry.counter("dropped", "reason", "log_full").increment(10);
            registry.counter("dropped", "reason", "expired").increment(1_000);
            evaluate(watch, Duration.ofSeconds(10));
        }

        assertThat(summaries(watch)).containsExactly("2.5 of queue_full (250 %, 2.5 s).");
    }

    @Test
    void aMeanIsOfTheQuotients() {
        gauge("used", "area", "heap").set(60);
        AtomicLong more = gauge("used", "area", "heap", "id", "old");
        gauge("used", "area", "nonheap").set(1_000);
        gauge("max", "area", "heap").set(100);
        AlertWatch watch = watch("mean 1m used{area~heap} / max{area~heap} > 0.8", "0s");
        more.set(30);
        evaluate(watch, Duration.ofSeconds(20));
        assertThat(summaries(watch)).containsExactly("0.9 of  (90 %, 0.9 s).");
        more.set(0);
        evaluate(watch, Duration.ofSeconds(20));

        assertThat(watch.alerts()).isEmpty();
    }

    @Test
    void timesAreInSecondsAndTheHighestOfASubject() {
        TimeGauge.builder("lag", () -> 150_000, TimeUnit.MILLISECONDS)
                .tag("bucket", "1")
                .register(registry);
        TimeGauge.builder("lag", () -> 2_000, TimeUnit.MILLISECONDS)
                .tag("bucket", "2")
                .register(registry);
        AlertWatch watch = watch("latest lag{max} > 5", "0s");

        evaluate(watch, Duration.ofSeconds(10));

        assertThat(summaries(watch)).containsExactly("150 of  (15000 %, 2 minutes).");
        AlertWatch lowest = watch("latest lag{min} < 5", "0s");
        evaluate(lowest, Duration.ofSeconds(10));
        assertThat(summaries(lowest)).containsExactly("2 of  (200 %, 2 s).");
    }

    @Test
    void theTimeOfATimerIsDividedByItsCount() {
        AlertWatch watch = watch("increase 5m heartbeat / heartbeat{count} > 2", "0s");
        registry.timer("heartbeat").record(Duration.ofHours(1));
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(watch.alerts()).as("without a heartbeat since").isEmpty();
        registry.timer("heartbeat").record(Duration.ofSeconds(2));
        registry.timer("heartbeat").record(Duration.ofSeconds(5));

        evaluate(watch, Duration.ofSeconds(10));

        assertThat(summaries(watch)).containsExactly("3.5 of  (350 %, 3.5 s).");
    }

    @Test
    void aNumberIsBelowItsHighestOrHasALowest() {
        AtomicLong nodes = gauge("nodes");
        AlertWatch missing = watch("below_highest 2h nodes > 0", "0s");
        AlertWatch waiting = watch("lowest 1m nodes > 0", "0s");
        nodes.set(3);
        evaluate(missing, Duration.ofSeconds(10));
        evaluate(waiting, Duration.ofSeconds(10));
        assertThat(missing.alerts()).isEmpty();
        assertThat(waiting.alerts()).hasSize(1);
        nodes.set(0);
        evaluate(missing, Duration.ofSeconds(10));
        evaluate(waiting, Duration.ofSeconds(10));

        assertThat(summaries(missing)).containsExactly("3 of  (300 %, 3 s).");
        assertThat(waiting.alerts()).isEmpty();
        evaluate(missing, Duration.ofHours(2));
        assertThat(missing.alerts()).isEmpty();
    }

    @Test
    void anExceptionKeepsAConditionFromHolding() {
        AtomicLong age = gauge("age");
        gauge("failed").set(1);
        AlertWatch watch = watch("latest failed > 0 unless age <= 60", "0s");
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(watch.alerts()).isEmpty();

        age.set(61);
        evaluate(watch, Duration.ofSeconds(10));

        assertThat(watch.alerts()).hasSize(1);
    }

    @Test
    void theAlertsOfARuleAreBounded() {
        List<AtomicLong> values = new ArrayList<>();
        for (int i = 100; i < 100 + AlertWatch.MAXIMUM_SUBJECTS + 5; i++) {
            values.add(gauge("up", "peer", "p" + i));
            values.getLast().set(1);
        }
        AlertWatch watch = watch("latest up{by~peer} = 1", "0s");

        evaluate(watch, Duration.ofSeconds(10));

        assertThat(summaries(watch)).hasSize(AlertWatch.MAXIMUM_SUBJECTS).contains("1 of p100 (100 %, 1 s).");
        AlertWatch down = watch("latest up{by~peer} = 0", "0s");
        values.getLast().set(0);
        evaluate(down, Duration.ofSeconds(10));
        assertThat(summaries(down)).as("all subjects are evaluated").containsExactly("0 of p154 (0 %, 0 s).");
    }

    @Test
    void theSubjectsWithSamplesAreTheFirstOnes() {
        List<AtomicLong> values = new ArrayList<>();
        for (int i = 100; i < 100 + AlertWatch.MAXIMUM_SUBJECTS + 5; i++) {
            values.add(gauge("waiting", "peer", "p" + i));
        }
        AlertWatch watch = watch("lowest 1m waiting{by~peer} > 0", "0s");
        values.getFirst().set(2);
        values.getLast().set(2);

        evaluate(watch, Duration.ofSeconds(10));

        assertThat(summaries(watch)).containsExactly("2 of p100 (200 %, 2 s).");
    }

    @Test
    void theTotalOfACounterThatComesBackIsNoIncrease() {
        double[] total = {0};
        Gauge.builder("faults", () -> total[0]).register(registry);
        AlertWatch watch = watch("increase 1m faults > 0", "0s");
        evaluate(watch, Duration.ofSeconds(10));
        total[0] = 7;
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(watch.alerts()).hasSize(1);

        total[0] = Double.NaN;
        evaluate(watch, Duration.ofMinutes(5));
        assertThat(watch.alerts()).isEmpty();
        total[0] = 8;
        evaluate(watch, Duration.ofSeconds(20));

        assertThat(watch.alerts()).isEmpty();
    }

    @Test
    void smallAndNegativeNumbersKeepTheirDigits() {
        double[] value = {0.001_666};
        Gauge.builder("rate", () -> value[0]).register(registry);
        AlertWatch watch = watch("latest rate != 0", "0s");

        evaluate(watch, Duration.ofSeconds(10));
        assertThat(summaries(watch)).first().asString().startsWith("0.00167 of");
        value[0] = -12.4;
        evaluate(watch, Duration.ofSeconds(10));
        assertThat(summaries(watch)).first().asString().startsWith("-12 of");
    }

    @Test
    void aWrongRuleIsNamed() {
        assertThatThrownBy(() -> watch("latest up == 0", "0s")).hasMessageContaining("==");
        assertThatThrownBy(() -> watch("latest up > 0 except x", "0s")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AlertRules.parse("One\nTwo")).hasMessageContaining("not an alert rule");
    }

    @Test
    void theRulesOfTheBrokerAreEvaluated() {
        AlertWatch watch = new AlertWatch(registry, nanos::get);
        gauge("heddle.cluster.lease.publishers").set(2);

        evaluate(watch, Duration.ofSeconds(70));

        assertThat(watch.alerts()).extracting(Alert::name).containsExactly("HeddleAcknowledgementsWait");
        assertThat(summaries(watch)).first().asString().contains("acknowledgements of 2 publishers wait");
    }

    @Test
    void anEvaluationSearchesTheMetersAtMostOnce() {
        AtomicLong searches = new AtomicLong();
        SimpleMeterRegistry counting = new SimpleMeterRegistry() {
            @Override
            public List<Meter> getMeters() {
                searches.incrementAndGet();
                return super.getMeters();
            }
        };
        counting.gauge("heddle.cluster.lease.publishers", 2);
        AlertWatch watch = new AlertWatch(counting, nanos::get);
        counting.find("another.name").meters();
        assertThat(searches).hasValue(1);

        evaluate(watch, Duration.ofSeconds(70));

        assertThat(watch.alerts()).extracting(Alert::name).containsExactly("HeddleAcknowledgementsWait");
        assertThat(searches).as("each search visits all meters").hasValueLessThanOrEqualTo(1 + 7);
    }
}

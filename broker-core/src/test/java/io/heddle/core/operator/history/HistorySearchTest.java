package io.heddle.core.operator.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.sys.BrokerMeters;
import io.heddle.core.sys.CpuUsage;
import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked. */
final class HistorySearchTest extends TwoNodesFixture {
    private static final long START = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();

    private final AtomicLong millis = new AtomicLong(START);
    private final AtomicLong aheadOfB = new AtomicLong();
    private final History ofA = history(3);
    private final History ofB = history(4);
    private final HistorySearch search = search(a, ofA);

    HistorySearchTest() {
        var _ = search(b, ofB);
    }

    private History history(int connections) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        registry.gauge("heddle.sessions.connected", connections);
        registry.gauge("heddle.retained.messages", connections);
        return new History(
                registry,
                new BrokerMeters(registry, System::nanoTime),
                new CpuUsage(Optional::empty, System::nanoTime, 1),
                () -> Instant.ofEpochMilli(millis.get() + (connections == 4 ? aheadOfB.get() : 0)),
                () -> millis.get() * 1_000_000);
    }

    private long ahead(Incarnation node) {
        return node.equals(b) ? aheadOfB.get() : 0;
    }

    private HistorySearch search(Incarnation self, History own) {
        HistorySearch created =
                new HistorySearch(questions(self), () -> Instant.ofEpochMilli(millis.get() + ahead(self)));
        created.answer(own);
        return created;
    }

    private ClusterHistory find(Range range, Figure... figures) throws Exception {
        return ask(() -> search.find(
                range, Set.copyOf(Arrays.stream(figures).map(Figure::key).toList())));
    }

    private static float last(Map<String, float[]> series, Figure figure) {
        float[] values = series.getOrDefault(figure.key(), new float[] {Float.NaN});
        return values[values.length - 1];
    }

    @Test
    void theValuesOfAllNodesAreMergedByTime() throws Exception {
        ofA.record();
        ofB.record();
        millis.addAndGet(10_000);
        ofA.record();
        ofB.record();
        millis.addAndGet(10_000);
        ofB.record();

        ClusterHistory found = find(Range.HOUR, Figure.CONNECTIONS, Figure.RETAINED_MESSAGES);

        assertThat(found.lastMillis()).isEqualTo(START + 20_000);
        assertThat(found.missingNodes()).isEmpty();
        assertThat(found.cluster()).containsOnlyKeys("connections", "retainedMessages");
        assertThat(found.cluster().get("connections")).hasSize(360).endsWith(Float.NaN, 7, Float.NaN);
        assertThat(found.cluster().get("retainedMessages")).endsWith(Float.NaN, 4, Float.NaN);
        // The first node is expected to record its value, too.
        assertThat(last(found.nodes().getOrDefault("a", Map.of()), Figure.CONNECTIONS))
                .isNaN();
        assertThat(last(found.nodes().getOrDefault("b", Map.of()), Figure.CONNECTIONS))
                .isEqualTo(4);
    }

    @Test
    void aNodeWhoseClockIsWrongDoesNotShiftTheOthers() throws Exception {
        aheadOfB.set(Duration.ofMinutes(17).toMillis() + 3_000);
        for (int i = 0; i < 3; i++) {
            ofA.record();
            ofB.record();
            millis.addAndGet(10_000);
        }

        ClusterHistory found = find(Range.HOUR, Figure.CONNECTIONS);

        assertThat(found.lastMillis()).isBetween(START, START + 30_000);
        assertThat(found.cluster().get("connections")).endsWith(7);
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() throws Exception {
        links.cut(a, b);

        ClusterHistory found = find(Range.DAY);

        assertThat(found.missingNodes()).containsExactly("b");
        assertThat(found.lastMillis()).isZero();
    }

    @Test
    void aMeanIsThatOfTheNodesWithAValue() {
        float[] ofA = new float[360];
        float[] ofB = new float[360];
        Arrays.fill(ofA, 10);
        Arrays.fill(ofB, 30);
        ofB[0] = Float.NaN;

        ClusterHistory merged = ClusterHistory.of(
                Range.HOUR,
                new TreeMap<>(Map.of(
                        "a", new HistoryPage(Range.HOUR, START, Map.of("cpuPercent", ofA)),
                        "b", new HistoryPage(Range.HOUR, START, Map.of("cpuPercent", ofB)))),
                List.of());

        assertThat(merged.cluster().get("cpuPercent")).startsWith(10, 20).endsWith(20);
    }

    @Test
    void anAnswerHasTheFiguresThatFit() {
        float[] values = new float[360];
        HistoryPage page = new HistoryPage(Range.HOUR, START, Map.of("a", values, "b", values, "c", values));

        assertThat(HistorySearch.decode(Range.HOUR, HistorySearch.encode(page, START, 3_500), START)
                        .series())
                .containsOnlyKeys("a", "b");
    }
}

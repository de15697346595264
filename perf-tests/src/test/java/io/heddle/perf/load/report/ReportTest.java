package io.heddle.perf.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ReportTest {
    private static Figures run(double cost) {
        Figures figures = new Figures();
        figures.put("cpu broker", "µs/delivery", cost);
        figures.put("latency p50", "ms", Double.NaN);
        return figures;
    }

    private static final Report THREE_RUNS = new Report(
            "fan-out",
            List.of(run(0.5), run(0.25), run(1)),
            Map.of("lost", 1234L),
            List.of("1234 deliveries were lost"));

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(Spread.of(List.of(3.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 3));
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void tableShowsRunsMedianAndSpread() {
        assertThat(ReportTable.of(THREE_RUNS))
                .contains("run 1", "run 2", "run 3", "median", "lowest", "highest")
                .containsPattern("cpu broker \\[µs/delivery\\] +0\\.500 +0\\.250 +1\\.00 +0\\.500 +0\\.250 +1\\.00\n")
                .containsPattern("latency p50 \\[ms\\] +- +- +- +- +- +-\n")
                .containsPattern("lost +1,234\n")
                .contains("FAILED: 1234 deliveries were lost");
    }

    @Test
    void jsonHoldsTheFiguresOfTheTable() {
        String json = ReportJson.of(THREE_RUNS).replaceAll("\\s+", "");
        assertThat(json)
                .contains("\"load\":\"fan-out\",\"passed\":false")
                .contains("\"runs\":[{\"cpubroker[µs/delivery]\":0.5,\"latencyp50[ms]\":null}")
                .contains("\"spread\":{\"cpubroker[µs/delivery]\":{\"median\":0.5,\"lowest\":0.25,\"highest\":1.0}")
                .contains("\"totals\":{\"lost\":1234},\"faults\":[\"1234deliverieswerelost\"]");
    }

    @Test
    void phasesHaveNamesAndNoSpread() {
        Report phases = new Report(
                "flood", List.of(run(0.5), run(0.25)), List.of("before", "during"), Map.of("lost", 0L), List.of());
        assertThat(ReportTable.of(phases))
                .containsPattern(" +before +during\n")
                .doesNotContain("median")
                .containsPattern("cpu broker \\[µs/delivery\\] +0\\.500 +0\\.250\n");
        assertThat(ReportJson.of(phases).replaceAll("\\s+", ""))
                .contains("\"phases\":[\"before\",\"during\"]")
                .contains("\"spread\":{}");
    }

    @Test
    void loadWithoutRunsCanBeReported() {
        Report none = new Report("idle", List.of(), Map.of(), List.of("it broke"));
        assertThat(ReportTable.of(none)).isEqualTo("idle\nFAILED: it broke\n");
        assertThat(ReportJson.of(none)).contains("\"it broke\"");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.01234, 0.0123", "0.1234, 0.123", "1.234, 1.23", "12.34, 12.3", "1234567, '1,234,567'"})
    void numbersHaveThreeSignificantDigits(double number, String text) {
        assertThat(ReportTable.number(number)).isEqualTo(text);
    }
}

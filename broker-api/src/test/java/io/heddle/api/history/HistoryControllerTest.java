package io.heddle.api.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.operator.history.ClusterHistory;
import io.heddle.core.sys.history.Range;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HistoryControllerTest extends ApiFixture {
    @Test
    void figuresAreShownForTheClusterAndForEachNode() throws Exception {
        AtomicReference<String> asked = new AtomicReference<>();
        server.setHistory((range, figures) -> {
            asked.set(range + " " + figures);
            return new ClusterHistory(
                    Range.DAY,
                    Instant.parse("2026-11-30T12:00:00Z").toEpochMilli(),
                    Map.of("connections", new float[] {Float.NaN, 2.12345f}),
                    Map.of("heddle-1", Map.of("connections", new float[] {1, 2})),
                    List.of("heddle-2"));
        });

        HttpResponse<String> answer = get("/api/v1/history?range=day&figures=connections,dropped.queue_full");

        assertThat(asked).hasValue("DAY [connections, dropped.queue_full]");
        assertThat(JSON.readTree(answer.body())).isEqualTo(JSON.readTree("""
                {"end": "2026-11-30T12:00:00Z", "stepSeconds": 60, "cluster": {"connections": [null, 2.123]},
                 "nodes": [{"node": "heddle-1", "figures": {"connections": [1.0, 2.0]}}], "missingNodes": ["heddle-2"]}"""));
    }

    @Test
    void withoutValuesThereIsNoEnd() throws Exception {
        assertThat(read("/api/v1/history").path("end").isNull()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"?range=week", "?figures=unknown", "?figures=", "?figures=connections,,connects", "?from=1"})
    void aWrongQuestionIsRefused(String query) throws Exception {
        assertThat(get("/api/v1/history" + query).statusCode()).isEqualTo(400);
    }
}

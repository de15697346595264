package io.heddle.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark with each of its parameters, without measuring. */
@Tag("ci")
final class BenchmarksTest {
    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include("io\\.heddle\\.perf\\.jmh\\..*")
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(5))
                        .shouldFailOnError(true)
                        .shouldDoGC(false)
                        .param("subscriptions", "1000")
                        .addProfiler(CpuTime.class)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();

        assertThat(results)
                .extracting(result -> result.getParams().getBenchmark().replace("io.heddle.perf.jmh.", ""))
                .contains(
                        "CodecBenchmark.decodeOneByOne",
                        "CodecBenchmark.decodeOneByOneByNetty",
                        "CodecBenchmark.decodeTogether",
                        "CodecBenchmark.decodeTogetherByNetty",
                        "CodecBenchmark.encode",
                        "FanOutBenchmark.onePacketToAll",
                        "FanOutBenchmark.onePacketToEach",
                        "GeneratorBenchmark.publish",
                        "GeneratorBenchmark.receive",
                        "LinkBenchmark.send",
                        "MillionSubscriptionsBenchmark.match",
                        "MillionSubscriptionsBenchmark.removeAndPut",
                        "RetainedMessagesBenchmark.fillEmpty",
                        "RetainedMessagesBenchmark.lookUp",
                        "RetainedMessagesBenchmark.replace",
                        "RetainedMessagesBenchmark.storeAndRemove",
                        "RetainedMessagesBenchmark.walkAll",
                        "RetainedMessagesBenchmark.walkInVain",
                        "RoutingBenchmark.publishToAll",
                        "RoutingBenchmark.publishToOneAfterAll",
                        "SubscriptionTrieBenchmark.match",
                        "SubscriptionTrieBenchmark.parseAndMatch");
        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result.getPrimaryResult().getScore()).isPositive())
                .allSatisfy(result -> assertThat(result.getSecondaryResults()).containsKey("cpu"));
    }

    @Test
    void memoryOfASubscriptionIsMeasured() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        SubscriptionMemory.measure(20_000, new PrintStream(output, true, StandardCharsets.UTF_8));

        assertThat(output.toString(StandardCharsets.UTF_8).lines())
                .hasSize(1 + SubscriptionPattern.values().length)
                .anySatisfy(line -> assertThat(line).matches("DISTINCT +trie +[0-9.]+ +subscription +[0-9.]+ .*"));
    }
}

package io.heddle.perf.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark jar as described in the README: its main class, its list of benchmarks, its forks. */
final class BenchmarksJarIT {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final String JAR = System.getProperty("heddle.benchmarks.jar", "target/benchmarks.jar");

    @Test
    void jarRunsABenchmarkInAForkedJvm(@TempDir Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Path results = folder.resolve("results.json");
        List<String> command = List.of(
                JAVA.toString(),
                "-Djmh.ignoreLock=true",
                "-jar",
                JAR,
                "CodecBenchmark.encode",
                "-p",
                "version=V5",
                "-f",
                "1",
                "-wi",
                "0",
                "-i",
                "1",
                "-r",
                "5ms",
                "-foe",
                "true",
                "-rf",
                "json",
                "-rff",
                results.toString());

        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("ended within a minute")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(process.exitValue())
                .as(Files.readString(output, StandardCharsets.UTF_8))
                .isZero();
        assertThat(Files.readString(results, StandardCharsets.UTF_8))
                .contains("\"benchmark\" : \"io.heddle.perf.jmh.CodecBenchmark.encode\"", "\"version\" : \"V5\"");
    }
}

package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Run by the build before the integration tests, which start Kafka some forty times: records one start of it and has the JDK make
 * an AOT cache of that, which halves what a start costs. Without one the tests are slower, and that is all.
 */
final class KafkaStartCache {
    private static final Duration WITHIN = Duration.ofMinutes(2);

    private KafkaStartCache() {}

    /** @param arguments an empty folder for the cache */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(arguments[0])).toRealPath();
        Path record = folder.resolve("kafka.conf");
        Path cache = folder.resolve("kafka.aot");
        StandaloneHome home = StandaloneHome.locate();
        Path options = home.directory().resolve("kafka.options");
        Files.deleteIfExists(options);
        try {
            write(options, "-XX:AOTMode=record", "-XX:AOTConfiguration=" + record);
            startOnce(folder.resolve("data"));
            Files.delete(options);
            make(record, cache, home);
            // Another JDK than this one has nothing to say about it.
            write(options, "-XX:AOTCache=" + cache, "-Xlog:aot*=off");
        } catch (IOException | StandaloneException e) {
            Files.deleteIfExists(options);
            System.err.println("Kafka starts without a cache: " + e);
        }
    }

    private static void write(Path options, String... each) throws IOException {
        Files.writeString(
                options,
                List.of(each).stream()
                        .map(option -> '"' + option.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n")
                        .collect(Collectors.joining()));
    }

    private static void startOnce(Path data) throws InterruptedException {
        try (Servers servers =
                Servers.builder(data).only(Server.KAFKA).tuning(Tuning.TESTS).start()) {
            servers.awaitReady(WITHIN);
        }
    }

    private static void make(Path record, Path cache, StandaloneHome home) throws IOException, InterruptedException {
        Process creation = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseCompactObjectHeaders",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        // Only this collector can write objects into it; every other can read them.
                        "-XX:+UseG1GC",
                        "-XX:AOTMode=create",
                        "-XX:AOTConfiguration=" + record,
                        "-XX:AOTCache=" + cache,
                        "-cp",
                        home.kafkaClassPath())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!creation.waitFor(WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            creation.destroyForcibly();
        }
        if (!Files.exists(cache)) {
            throw new IOException("the JVM made none");
        }
        Files.delete(record);
    }
}

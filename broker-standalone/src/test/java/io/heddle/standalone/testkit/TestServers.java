package io.heddle.standalone.testkit;

import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * The servers that all tests of a JVM share: those that the environment names, else containers where Docker is
 * present, else child processes that end with the JVM. Thread-safe.
 */
public final class TestServers {
    static final String KAFKA = "HEDDLE_TEST_KAFKA";
    static final String REDIS = "HEDDLE_TEST_REDIS";
    static final String POSTGRES_URL = "HEDDLE_TEST_POSTGRES_URL";
    static final String POSTGRES_USER = "HEDDLE_TEST_POSTGRES_USER";
    static final String POSTGRES_PASSWORD = "HEDDLE_TEST_POSTGRES_PASSWORD";

    private static final Duration READY = Duration.ofMinutes(5);

    private TestServers() {}

    /** Started at the first call, which blocks until they are ready. */
    public static Endpoints shared() {
        return Holder.ENDPOINTS;
    }

    /** The JVM's class initialization makes it once. */
    private static final class Holder {
        static final Endpoints ENDPOINTS = obtain();

        private static Endpoints obtain() {
            Endpoints given = fromEnvironment(System.getenv());
            if (given != null) {
                return given;
            }
            return dockerIsPresent() ? ContainerServers.start() : childProcesses();
        }
    }

    /** Null when the environment names none. Throws IllegalStateException when it names some but not all. */
    static @Nullable Endpoints fromEnvironment(Map<String, String> environment) {
        String kafka = environment.get(KAFKA);
        String redis = environment.get(REDIS);
        String url = environment.get(POSTGRES_URL);
        if (kafka == null && redis == null && url == null) {
            return null;
        }
        if (kafka == null || redis == null || url == null) {
            throw new IllegalStateException(
                    "Tests on servers of your own need all of " + KAFKA + ", " + REDIS + " and " + POSTGRES_URL + ".");
        }
        return new Endpoints(
                kafka,
                "",
                redis,
                url,
                environment.getOrDefault(POSTGRES_USER, "heddle"),
                environment.getOrDefault(POSTGRES_PASSWORD, ""));
    }

    /** A module whose tests do not have Testcontainers on their class path uses the child processes. */
    private static boolean dockerIsPresent() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (NoClassDefFoundError withoutTestcontainers) {
            return false;
        }
    }

    private static Endpoints childProcesses() {
        try {
            Path directory = Files.createTempDirectory("heddle-test-servers-");
            Servers servers = Servers.builder(directory).tuning(Tuning.TESTS).start();
            Runtime.getRuntime()
                    .addShutdownHook(
                            Thread.ofPlatform().name("test-servers-stop").unstarted(() -> stop(servers, directory)));
            servers.awaitReady(READY);
            return servers.endpoints();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the test servers were starting", e);
        }
    }

    private static void stop(Servers servers, Path directory) {
        servers.close();
        deleteTree(directory);
    }

    /** The settings of a client of Kafka on these servers, with further ones. */
    public static Map<String, Object> kafkaClient(Endpoints endpoints, Map<String, Object> further) {
        Map<String, Object> settings = new HashMap<>(endpoints.kafkaSecurity());
        settings.put("bootstrap.servers", endpoints.kafkaBootstrapServers());
        settings.putAll(further);
        return settings;
    }

    /** Removes a directory with all it holds. */
    public static void deleteTree(Path directory) {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

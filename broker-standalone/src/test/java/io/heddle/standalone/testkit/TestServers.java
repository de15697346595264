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
 * The servers that all tests of a JVM share: servers from the environment, else containers if Docker is available, else child processes
 * that end with the JVM. Thread-safe.
 */
public final class TestServers {
    static final String KAFKA = "HEDDLE_TEST_KAFKA";
    static final String REDIS = "HEDDLE_TEST_REDIS";
    static final String POSTGRES_URL = "HEDDLE_TEST_POSTGRES_URL";
    static final String POSTGRES_USER = "HEDDLE_TEST_POSTGRES_USER";
    static final String POSTGRES_PASSWORD = "HEDDLE_TEST_POSTGRES_PASSWORD";

    private static final Duration READY = Duration.ofMinutes(5);

    private TestServers() {}

    /** Starts the servers at the first call, and blocks until they are ready. */
    public static Endpoints shared() {
        return Holder.ENDPOINTS;
    }

    /** Initialized once by the JVM's class initialization. */
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

    /** Null if the environment names no servers. Throws IllegalStateException if it names some, but not all. */
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

    /** Modules without Testcontainers on their test class path use child processes. */
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

    /** The settings of a Kafka client for these servers, with additional ones. */
    public static Map<String, Object> kafkaClient(Endpoints endpoints, Map<String, Object> further) {
        Map<String, Object> settings = new HashMap<>(endpoints.kafkaSecurity());
        settings.put("bootstrap.servers", endpoints.kafkaBootstrapServers());
        settings.putAll(further);
        return settings;
    }

    /** Deletes a directory with its contents. */
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

package io.heddle.standalone;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Creates the start cache of the Kafka in the standalone home, in a training run. The build runs it before the integration tests, which
 * start Kafka about forty times: the cache halves the time of a start. Without a cache the tests are only slower.
 */
final class KafkaStartCache {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private KafkaStartCache() {}

    /**
     * Kafka's JVM writes the cache when it exits, which takes longer than an ordinary stop. The build sets the system properties.
     *
     * @param arguments an empty data directory
     */
    public static void main(String[] arguments) throws InterruptedException {
        // G1, because other collectors cannot write objects into a cache. All of them can read objects.
        try (Servers servers = Servers.builder(Path.of(arguments[0]))
                .only(Server.KAFKA)
                .tuning(Tuning.SERVING)
                .start()) {
            servers.awaitReady(TIMEOUT);
        }
    }
}

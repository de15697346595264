package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.LogCapture;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.testkit.Relay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
class SlowKafkaIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Twice as long as the slowest step, which opens two connections, and shorter than the delays of a first start together. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration DELAY = Duration.ofMillis(250);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @Test
    void aFirstStartWaitsForASlowKafkaThatMakesProgress() throws Exception {
        try (Relay relay = Relay.open();
                Servers servers = Servers.builder(directory)
                        .tuning(Tuning.TESTS)
                        .only(Server.KAFKA)
                        .kafkaAdvertisedPorts(List.of(relay.port()))
                        .start();
                LogCapture log = LogCapture.of(StartDeadline.class)) {
            servers.awaitReady(PATIENCE);
            relay.forwardTo(URI.create("kafka://" + servers.endpoints().kafkaBootstrapServers())
                    .getPort());
            relay.delay(DELAY);
            KafkaSettings settings = new KafkaSettings(
                    "127.0.0.1:" + relay.port(),
                    CONNECT_TIMEOUT,
                    1,
                    4,
                    KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                    servers.endpoints().kafkaSecurity());

            KafkaCluster.open(settings, new SimpleMeterRegistry()).close();

            assertThat(log.events())
                    .singleElement()
                    .extracting(event -> event.getFormattedMessage())
                    .asString()
                    .startsWith("Kafka is slow");
        }
    }
}

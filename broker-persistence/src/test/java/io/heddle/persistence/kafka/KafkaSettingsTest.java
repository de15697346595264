package io.heddle.persistence.kafka;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSettingsTest {
    @Test
    void secretsAreNotPrinted() {
        KafkaSettings settings = new KafkaSettings(
                "kafka:9092",
                Duration.ofSeconds(15),
                1,
                16,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                Map.of("sasl.jaas.config", "password=hidden"));

        assertThat(settings.toString())
                .contains("kafka:9092", "sasl.jaas.config")
                .doesNotContain("hidden");
        assertThat(settings.adminProperties()).containsEntry("sasl.jaas.config", "password=hidden");
    }

    @Test
    void aWrongSettingIsNamed() {
        sentenceOf(() -> TestSettings.kafka(" ")).contains("heddle.kafka.bootstrap-servers");
        sentenceOf(() -> settings(Duration.ZERO, 1, 16, Map.of())).contains("heddle.kafka.connect-timeout");
        sentenceOf(() -> settings(Duration.ofSeconds(5), 0, 16, Map.of())).contains("heddle.kafka.replication-factor");
        sentenceOf(() -> settings(Duration.ofSeconds(5), 1, 0, Map.of())).contains("heddle.buckets.count");
        sentenceOf(() -> settings(Duration.ofSeconds(5), 1, 16, Map.of("bootstrap.servers", "other:9092")))
                .contains("heddle.kafka.bootstrap-servers");
    }

    @Test
    void unknownClientSettingsAreRejected() {
        sentenceOf(() -> settings(Duration.ofSeconds(5), 1, 16, Map.of("security.protocl", "SSL")))
                .contains("unknown setting heddle.kafka.properties.security.protocl");
        // Settings of the producer, of the consumer, and of all clients.
        Map<String, String> known = Map.of("linger.ms", "5", "fetch.max.wait.ms", "100", "security.protocol", "SSL");
        assertThat(settings(Duration.ofSeconds(5), 1, 16, known).properties()).isEqualTo(known);
    }

    // With the majority, an acknowledged record survives the loss of any one broker.
    @ParameterizedTest
    @CsvSource({"1,1", "2,2", "3,2", "4,3", "5,3"})
    void theMajorityOfReplicasMustHaveARecord(int replicationFactor, int minInSyncReplicas) {
        assertThat(settings(Duration.ofSeconds(5), replicationFactor, 16, Map.of())
                        .minInSyncReplicas())
                .isEqualTo(minInSyncReplicas);
    }

    private static KafkaSettings settings(
            Duration connectTimeout, int replicationFactor, int bucketCount, Map<String, String> properties) {
        return new KafkaSettings(
                "kafka:9092",
                connectTimeout,
                replicationFactor,
                bucketCount,
                KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                properties);
    }
}

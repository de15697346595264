package io.heddle.persistence.kafka.read;

import io.heddle.core.operator.store.LogServers;
import io.heddle.core.testkit.LogServersContract;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;

final class KafkaLogServersIT extends LogServersContract {
    @AutoClose
    private final KafkaCluster cluster;

    KafkaLogServersIT() throws Exception {
        Endpoints servers = TestServers.shared();
        FreshLogs.deleteTopics(servers);
        cluster = KafkaCluster.open(
                new KafkaSettings(
                        servers.kafkaBootstrapServers(),
                        Duration.ofSeconds(30),
                        1,
                        1,
                        KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                        servers.kafkaSecurity()),
                new SimpleMeterRegistry());
    }

    @Override
    protected LogServers servers() {
        return new KafkaLogServers(cluster::admin, () -> Map.of("heddle.retained", 7L));
    }
}

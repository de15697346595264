package io.heddle.persistence.kafka.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.kafka.EventTopicSettings;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events in a Kafka that answers, that stalls, and that answers again. */
@Tag("ci")
class EventPublisherIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final EventTopicSettings LIMITS = new EventTopicSettings(Duration.ofDays(7), 1 << 30);
    private static final int RATE = 1_000_000;
    /** More than fit into the memory of the producer. */
    private static final int FLOOD = 60_000;

    @TempDir
    static Path directory;

    @AutoClose
    private static Servers servers;

    @BeforeAll
    static void start() throws Exception {
        servers = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.KAFKA)
                .start();
        servers.awaitReady(PATIENCE);
    }

    private static void show(EventPublisher publisher, String clientId, String detail) {
        assertThat(publisher.accepts(Kind.DISCONNECTED)).isTrue();
        publisher.onEvent(new ClientEvent.Disconnected(new Client(clientId, null, null), "connection_reset", detail));
    }

    private static EventPublisher open(KafkaSettings settings, SimpleMeterRegistry registry) {
        SteadyClock clock = new SteadyClock(InstantSource.system(), System::nanoTime);
        return EventPublisher.open(settings, "node-1", EnumSet.allOf(Kind.class), RATE, clock, registry);
    }

    private static double count(SimpleMeterRegistry registry, String outcome) {
        return registry.get("heddle.events")
                .tags("kind", "disconnected", "outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void theEventsOfAClientAreInOnePartitionInOrderAndNothingBlocksWhileKafkaStalls() throws Exception {
        try (FreshLogs fresh = new FreshLogs(servers.endpoints(), 1, 48 << 20);
                KafkaCluster cluster = KafkaCluster.open(fresh.settings, LIMITS, fresh.registry);
                EventPublisher publisher = open(fresh.settings, fresh.registry)) {
            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, KafkaTopics.EVENTS);
            Config created = Objects.requireNonNull(
                    cluster.admin().describeConfigs(List.of(topic)).all().get().get(topic));
            assertThat(created.get("retention.ms").value()).isEqualTo("604800000");

            for (int i = 0; i < 100; i++) {
                show(publisher, "client-" + i % 5, "event " + i);
            }
            await().atMost(PATIENCE).until(() -> count(fresh.registry, "sent") == 100);
            List<List<ConsumerRecord<byte[], byte[]>>> partitions = IntStream.range(0, 4)
                    .mapToObj(each -> fresh.records(KafkaTopics.EVENTS, each))
                    .toList();
            for (int i = 0; i < 5; i++) {
                String clientId = "client-" + i;
                List<List<String>> found = partitions.stream()
                        .map(records -> records.stream()
                                .filter(each -> new String(each.key(), UTF_8).equals(clientId))
                                .map(each -> new String(each.value(), UTF_8).replaceAll(".*event (\\d+).*", "$1"))
                                .toList())
                        .filter(each -> !each.isEmpty())
                        .toList();
                int first = i;
                assertThat(found)
                        .as(clientId)
                        .containsExactly(IntStream.range(0, 20)
                                .mapToObj(each -> String.valueOf(first + 5 * each))
                                .toList());
            }

            SupervisedProcess kafka = servers.process(Server.KAFKA, 0);
            kafka.pause();
            long slowestNanos = 0;
            try {
                for (int i = 0; i < FLOOD; i++) {
                    long began = System.nanoTime();
                    show(publisher, "client-" + i % 5, "x".repeat(900) + i);
                    slowestNanos = Math.max(slowestNanos, System.nanoTime() - began);
                }
                assertThat(count(fresh.registry, "overloaded")).isPositive();
                // Those in memory are given up after 30 s.
                await().atMost(PATIENCE).until(() -> count(fresh.registry, "failed") > 0);
            } finally {
                kafka.resume();
            }
            assertThat(slowestNanos).isLessThan(TimeUnit.SECONDS.toNanos(3));

            double sent = count(fresh.registry, "sent");
            await().atMost(PATIENCE).untilAsserted(() -> {
                show(publisher, "again", "again");
                assertThat(count(fresh.registry, "sent")).isGreaterThan(sent);
            });
            await().atMost(PATIENCE)
                    .until(() -> count(fresh.registry, "sent")
                                    + count(fresh.registry, "failed")
                                    + count(fresh.registry, "overloaded")
                            >= FLOOD + 101);
        }
    }
}

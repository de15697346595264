package io.heddle.persistence.kafka.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.testkit.ProducerFencingContract;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.ProducerSettings;
import io.heddle.persistence.kafka.log.FreshLogs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaProducerFencingIT extends ProducerFencingContract {
    private final FreshLogs fresh = new FreshLogs(1);
    private final ProducerFencing fencing = new KafkaProducerFencing(fresh.cluster);
    private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();

    KafkaProducerFencingIT() throws Exception {}

    @AfterEach
    void close() {
        producers.forEach(producer -> producer.close(Duration.ZERO));
        fresh.close();
    }

    @Override
    protected ProducerFencing fencing() {
        return fencing;
    }

    @Override
    protected TestProducer initialise(TransactionalId id) {
        Producer<byte[], byte[]> producer = open(id);
        return () -> {
            try {
                producer.beginTransaction();
                Future<RecordMetadata> _ = producer.send(record());
                producer.commitTransaction();
                return true;
            } catch (KafkaException | IllegalStateException fenced) {
                return false;
            }
        };
    }

    private Producer<byte[], byte[]> open(TransactionalId id) {
        Producer<byte[], byte[]> producer = fresh.producer(
                "test-" + id.turn(),
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        id.name(),
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        (int) ProducerSettings.TRANSACTION_TIMEOUT.toMillis()));
        producers.add(producer);
        producer.initTransactions();
        return producer;
    }

    @Test
    void theTransactionThatADeadNodeLeftOpenIsAborted() throws Exception {
        TransactionalId id = new TransactionalId(
                new Incarnation(5, RandomGenerator.getDefault().nextInt()), 0);
        Producer<byte[], byte[]> dead = open(id);
        dead.beginTransaction();
        dead.send(record()).get();

        fencing.fence(Set.of(id)).toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(fresh.records(KafkaTopics.DEAD_LETTERS, 0)).isEmpty();
        assertThat(fencing.unfenced().toCompletableFuture().get(20, TimeUnit.SECONDS))
                .doesNotContain(id);
    }

    @Test
    void idsOfOtherProgramsAreNotListed() throws Exception {
        try (Producer<byte[], byte[]> other =
                fresh.producer("other", Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "heddle-reports"))) {
            other.initTransactions();

            assertThat(fencing.unfenced().toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .allMatch(id -> TransactionalId.isName(id.name()));
        }
    }

    private static ProducerRecord<byte[], byte[]> record() {
        return new ProducerRecord<>(KafkaTopics.DEAD_LETTERS, 0, null, new byte[] {1});
    }
}

package io.heddle.persistence.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.operator.store.HangingTransaction;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogPartition;
import io.heddle.core.testkit.HangingTransactionsContract;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.backup.TopicsBackup;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.read.LogConsumers;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
final class KafkaHangingTransactionsIT extends HangingTransactionsContract {
    /** Of each test: the log of the coordinators keeps the records of earlier ones. */
    private final long firstProducer = ThreadLocalRandom.current().nextLong(1L << 40, 1L << 50);

    private final KafkaCluster cluster;
    private final KafkaHangingTransactions transactions;
    private final HangingTransactionFactory factory;
    private final Producer<byte[], byte[]> producer;
    private int next;

    KafkaHangingTransactionsIT() throws Exception {
        Endpoints servers = TestServers.shared();
        FreshLogs.deleteTopics(servers);
        cluster = KafkaCluster.open(
                new KafkaSettings(
                        servers.kafkaBootstrapServers(),
                        Duration.ofSeconds(30),
                        1,
                        4,
                        KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                        servers.kafkaSecurity()),
                new SimpleMeterRegistry());
        transactions = new KafkaHangingTransactions(() -> cluster, InstantSource.system());
        factory = new HangingTransactionFactory(cluster);
        Map<String, Object> settings = cluster.settings().clientProperties("test");
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "heddle-test");
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
    }

    @AfterEach
    void close() throws Exception {
        producer.close(Duration.ZERO);
        factory.close();
        cluster.close();
    }

    @Override
    protected HangingTransactions transactions() {
        return transactions;
    }

    @Override
    protected LogPartition hanging(boolean isCommitted) {
        try {
            LogPartition partition = unknown("hangs");
            factory.end("heddle-9-00000001-" + next, partition, firstProducer + next, isCommitted);
            return partition;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Writes a record of a transaction that no coordinator knows. */
    private LogPartition unknown(String value) throws Exception {
        LogPartition partition = new LogPartition(KafkaTopics.BUCKETS, next);
        next++;
        factory.append(partition, firstProducer + next, 0, bytes(value));
        return partition;
    }

    @Override
    protected LogPartition ongoing() {
        LogPartition partition = new LogPartition(KafkaTopics.BUCKETS, 3);
        producer.beginTransaction();
        var _ = producer.send(record(partition, "ongoing"));
        producer.flush();
        return partition;
    }

    @Test
    void aCommitMakesTheRecordsVisibleWhereTheyAre() throws Exception {
        LogPartition committed = hanging(true);
        LogPartition aborted = hanging(false);
        producer.beginTransaction();
        var _ = producer.send(record(committed, "behind"));
        var _ = producer.send(record(aborted, "behind"));
        producer.commitTransaction();

        for (HangingTransaction each : transactions.among(List.of(committed, aborted))) {
            transactions.end(each, each.outcome() == Outcome.COMMITTED);
        }

        assertThat(committed(committed)).containsExactly("hangs", "behind");
        assertThat(committed(aborted)).containsExactly("behind");
    }

    @Test
    void theOutcomeOfARealTransactionIsInTheLogOfTheCoordinators() {
        assertThat(outcomeOfARealTransaction(true)).isEqualTo(Outcome.COMMITTED);
        assertThat(outcomeOfARealTransaction(false)).isEqualTo(Outcome.ABORTED);
    }

    private Outcome outcomeOfARealTransaction(boolean isCommitted) {
        LogPartition partition = ongoing();
        TopicPartition named = new TopicPartition(partition.topic(), partition.partition());
        var open = cluster.admin()
                .describeProducers(List.of(named))
                .partitionResult(named)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .activeProducers()
                .getLast();
        if (isCommitted) {
            producer.commitTransaction();
        } else {
            producer.abortTransaction();
        }
        // The coordinator completes the transaction a moment after its answer.
        ongoing();
        producer.abortTransaction();
        TransactionDecision decision = new TransactionDecision(open.producerId(), open.producerEpoch(), named);
        new TransactionStateReader(new LogConsumers(cluster.settings())).read(open.lastTimestamp(), List.of(decision));
        assertThat(decision.transactionalId()).isEqualTo("heddle-test");
        return decision.outcome();
    }

    @Test
    void aMarkerIsRefusedWhenTheProducerHasWrittenAgain() throws Exception {
        LogPartition partition = hanging(true);
        HangingTransaction found = transactions.among(List.of(partition)).getFirst();
        factory.append(partition, found.producerId(), found.producerEpoch() + 1, bytes("next"));

        assertThatThrownBy(() -> transactions.end(found, true))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("has written to heddle.buckets-0 again");
        assertThat(transactions.open()).containsKey(partition);
        assertThat(committed(partition)).isEmpty();
    }

    @Test
    void aTransactionThatNoCoordinatorKnowsHangsWhenItIsOld() throws Exception {
        LogPartition partition = unknown("a");
        assertThat(transactions.among(List.of(partition))).isEmpty();

        Instant later = Instant.now().plus(Duration.ofMinutes(4));
        HangingTransaction found = new KafkaHangingTransactions(() -> cluster, () -> later)
                .among(List.of(partition))
                .getFirst();
        assertThat(found.outcome()).isEqualTo(Outcome.UNPROVEN);
        assertThat(found.problem()).contains("has no record of it");
    }

    @Test
    void severalTransactionsAreFoundAtOnce() throws Exception {
        LogPartition committed = hanging(true);
        LogPartition aborted = hanging(false);
        LogPartition ongoing = ongoing();

        assertThat(transactions.among(List.of(committed, aborted, ongoing)))
                .extracting(HangingTransaction::partition, HangingTransaction::outcome)
                .containsExactly(tuple(committed, Outcome.COMMITTED), tuple(aborted, Outcome.ABORTED));
    }

    /** A transaction that waits for a person hangs for days, and the log of the coordinators goes on meanwhile. */
    @Test
    void aProofIsRemembered() throws Exception {
        LogPartition partition = hanging(true);
        HangingTransaction found = transactions.among(List.of(partition)).getFirst();
        factory.begin("heddle-9-00000001-1", partition, found.producerId());

        assertThat(transactions.among(List.of(partition))).containsExactly(found);
        assertThat(new KafkaHangingTransactions(() -> cluster, InstantSource.system()).among(List.of(partition)))
                .as("a node that has not read it before")
                .isEmpty();
    }

    /** It would lack the records behind the transaction. */
    @Test
    void aBackupEndsWithAnErrorBeforeAHangingTransaction() throws Exception {
        LogPartition partition = new LogPartition(KafkaTopics.RETAINED, 0);
        factory.append(partition, firstProducer, 0, bytes("hangs"));
        TopicsBackup backup =
                new TopicsBackup(cluster.admin(), cluster.settings(), System::nanoTime, Duration.ofSeconds(2));

        assertThatThrownBy(() -> backup.backUp(_ -> {}))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("Kafka has delivered heddle.retained-0 to offset 0 of 1")
                .hasMessageContaining("./heddle admin stores transactions");
    }

    private static ProducerRecord<byte[], byte[]> record(LogPartition partition, String value) {
        return new ProducerRecord<>(partition.topic(), partition.partition(), null, bytes(value));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the values that a reader of committed records gets. */
    private List<String> committed(LogPartition partition) {
        TopicPartition named = new TopicPartition(partition.topic(), partition.partition());
        List<String> values = new ArrayList<>();
        try (Consumer<byte[], byte[]> consumer = new LogConsumers(cluster.settings()).create("test")) {
            consumer.assign(List.of(named));
            consumer.seekToBeginning(List.of(named));
            long stable = consumer.endOffsets(List.of(named)).getOrDefault(named, 0L);
            PollLoop.until(
                    () -> consumer.position(named) >= stable,
                    consumer,
                    polled -> polled.forEach(each -> values.add(new String(each.value(), StandardCharsets.UTF_8))));
        }
        return values;
    }
}

package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.testkit.MessageLogContract;
import io.heddle.core.testkit.RecordingFollower;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.TestLife;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.log.KafkaLogs;
import io.heddle.persistence.kafka.nodes.KafkaProducerFencing;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.DeadLetterFormat;
import io.heddle.persistence.record.RecordReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class KafkaMessageLogIT extends MessageLogContract {
    @AutoClose
    private final FreshLogs fresh;

    KafkaMessageLogIT() throws Exception {
        fresh = new FreshLogs(BUCKETS);
    }

    @Override
    protected MessageLog log() {
        return fresh.logs.messages();
    }

    @Override
    protected BucketPositions positions() {
        return fresh.positions;
    }

    @Override
    protected List<BucketCommand> commands(int bucket) {
        List<BucketCommand> commands = new ArrayList<>();
        fresh.records(KafkaTopics.BUCKETS, bucket)
                .forEach(record -> commands.add(
                        BucketCommandFormat.read(new RecordReader(record.value(), () -> KafkaTopics.place(record)))));
        return commands;
    }

    @Override
    protected List<ClientChange> clientChanges() {
        return RecordingFollower.read(fresh.logs.clients());
    }

    @Override
    protected List<ToDeadLetters> deadLetters() {
        return fresh.records(KafkaTopics.DEAD_LETTERS, KafkaTopics.DEAD_LETTERS_PARTITION).stream()
                .map(record -> DeadLetterFormat.read(new RecordReader(record.value(), () -> KafkaTopics.place(record))))
                .toList();
    }

    @Override
    protected ChangeLog<TopicName, PublishMessage> retainedLog() {
        return fresh.logs.retained();
    }

    @Test
    void anOpenTransactionOfADeadProcessIsNeverRead() throws Exception {
        TransactionalId id = secondId();
        try (Producer<byte[], byte[]> dying = transactionalProducer(id)) {
            fresh.logs.close();
            dying.initTransactions();
            dying.beginTransaction();
            dying.send(new ProducerRecord<>(KafkaTopics.BUCKETS, 0, null, BucketCommandFormat.encode(enqueue("half"))))
                    .get();
            new KafkaProducerFencing(fresh.cluster)
                    .fence(Set.of(id))
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            try (KafkaLogs next = KafkaLogs.open(
                    fresh.cluster,
                    TestSettings.producers(fresh.nodeId),
                    new TestLife(),
                    TestSettings.applicationLogs(),
                    fresh.positions,
                    fresh.registry)) {
                RecordingOutcome outcome = new RecordingOutcome();
                next.messages().append(List.of(new ToBucket(0, enqueue("whole"))), outcome);
                assertThat(outcome.await()).isNull();

                assertThat(commands(0)).containsExactly(enqueue("whole"));
            }
        }
    }

    @Test
    void aFencedTransactionFailsAndTheNextIsCommitted() throws Exception {
        committed("before");
        int confirmations = fresh.life.confirmations();
        try (Producer<byte[], byte[]> other = transactionalProducer(secondId())) {
            other.initTransactions();
        }

        RecordingOutcome fenced = new RecordingOutcome();
        log().commit(
                        List.of(new ToBucket(0, enqueue("fenced")), new ToBucket(1, enqueue("fenced"))),
                        new OrderFence(),
                        fenced);
        assertThat(fenced.await()).isNotNull();
        committed("after");

        assertThat(fresh.life.confirmations()).isGreaterThan(confirmations);
        assertThat(commands(0)).containsExactly(enqueue("before"), enqueue("after"));
        assertThat(commands(1)).isEmpty();
        assertThat(fresh.registry
                        .get("heddle.kafka.transactions")
                        .tags("lane", "publishes", "outcome", "aborted")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aNodeThatWasDeclaredDeadAndFencedCommitsNothingMore() throws Exception {
        committed("before");
        fresh.life.declareDead();
        new KafkaProducerFencing(fresh.cluster)
                .fence(Set.of(
                        new TransactionalId(fresh.life.incarnation(), 0),
                        new TransactionalId(fresh.life.incarnation(), 1),
                        new TransactionalId(fresh.life.incarnation(), 2)))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);

        for (int i = 0; i < 5; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            log().commit(List.of(new ToBucket(0, enqueue("dead"))), new OrderFence(), outcome);
            assertThat(outcome.await()).isNotNull();
        }
        assertThat(commands(0)).containsExactly(enqueue("before"));
    }

    @Test
    void commitsBehindAFailedOneOfTheSamePublisherFailToo() throws Exception {
        committed("before");
        try (Producer<byte[], byte[]> other = transactionalProducer(secondId())) {
            other.initTransactions();
        }
        OrderFence order = new OrderFence();
        List<RecordingOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            outcomes.add(outcome);
            log().commit(List.of(new ToBucket(0, enqueue("" + i))), order, outcome);
        }

        for (RecordingOutcome outcome : outcomes) {
            assertThat(outcome.await()).isNotNull();
        }
        assertThat(order.isBroken()).isTrue();
        RecordingOutcome late = new RecordingOutcome();
        log().commit(List.of(new ToBucket(0, enqueue("late"))), order, late);
        assertThat(late.await()).isInstanceOf(BrokenOrderException.class);
        committed("another publisher's");

        assertThat(commands(0)).containsExactly(enqueue("before"), enqueue("another publisher's"));
        assertThat(fresh.registry
                        .get("heddle.kafka.append.failures")
                        .tags("log", "heddle.buckets", "reason", "behind_a_failure")
                        .counter()
                        .count())
                .isPositive();
        assertThat(fresh.registry
                        .get("heddle.kafka.pending.bytes")
                        .tag("kind", "messages")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void aTooLargeRecordFailsAloneWithinItsBatch() throws Exception {
        LogAppend large = new ToRetained(message("").topic(), large());
        RecordingOutcome alone = new RecordingOutcome();
        log().append(List.of(large), alone);
        List<RecordingOutcome> commits = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            commits.add(outcome);
            log().commit(
                            i == 10
                                    ? List.of(new ToBucket(0, enqueue("10")), large)
                                    : List.of(new ToBucket(0, enqueue("" + i))),
                            new OrderFence(),
                            outcome);
        }

        assertThat(alone.await()).isInstanceOf(RecordTooLargeException.class);
        for (int i = 0; i < 20; i++) {
            if (i == 10) {
                assertThat(commits.get(i).await()).isInstanceOf(RecordTooLargeException.class);
            } else {
                assertThat(commits.get(i).await()).as("commit %d", i).isNull();
            }
        }
        assertThat(commands(0)).hasSize(19).doesNotContain(enqueue("10"));
        assertThat(fresh.registry
                        .get("heddle.kafka.append.failures")
                        .tags("log", "heddle.retained", "reason", "too_large")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(fresh.registry
                        .get("heddle.kafka.pending.bytes")
                        .tag("kind", "messages")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void aMessageForAClientWithoutLogWaitsForIt() throws Exception {
        ClientId app = new ClientId("later");
        LogAppend append = new ToApplication(app, 1, message("a"), QoS.AT_LEAST_ONCE, false, List.of());
        RecordingOutcome outcome = new RecordingOutcome();
        log().append(List.of(append), outcome);
        assertThat(outcome.isDone()).isFalse();

        assertThat(fresh.logs.applications().create(app, 1).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(30));

        assertThat(outcome.await()).isNull();
    }

    @Test
    void aCommitToATopicThatDoesNotExistDelaysNoOtherPublisher() throws Exception {
        ClientId app = new ClientId("app");
        assertThat(fresh.logs.applications().create(app, 1).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(30));
        fresh.cluster
                .admin()
                .deleteTopics(List.of(KafkaTopics.application(app)))
                .all()
                .get();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !fresh.cluster.admin().listTopics().names().get().contains(KafkaTopics.application(app)));
        committed("before");
        OrderFence order = new OrderFence();
        RecordingOutcome missing = new RecordingOutcome();
        RecordingOutcome behind = new RecordingOutcome();

        log().commit(
                        List.of(
                                new ToBucket(0, enqueue("missing")),
                                new ToApplication(app, 1, message("a"), QoS.EXACTLY_ONCE, false, List.of())),
                        order,
                        missing);
        log().commit(List.of(new ToBucket(0, enqueue("behind"))), order, behind);
        for (int i = 0; i < 10; i++) {
            committed("another publisher's " + i);
        }

        assertThat(missing.isDone()).as("it waits for the topic").isFalse();
        assertThat(missing.await()).isInstanceOf(TimeoutException.class);
        assertThat(behind.await()).isInstanceOf(BrokenOrderException.class);
        assertThat(commands(0)).hasSize(11).doesNotContain(enqueue("missing"), enqueue("behind"));
    }

    @Test
    void appendsAreMeasured() throws Exception {
        committed("a");
        RecordingOutcome outcome = new RecordingOutcome();
        log().append(List.of(new ToBucket(0, enqueue("b"))), outcome);
        assertThat(outcome.await()).isNull();

        assertThat(fresh.registry
                        .get("heddle.kafka.append")
                        .tag("log", "heddle.buckets")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(fresh.registry
                        .get("heddle.kafka.transaction.commits")
                        .tag("lane", "publishes")
                        .summary()
                        .totalAmount())
                .isEqualTo(1);
    }

    @Test
    void everythingFailsAfterClose() throws Exception {
        fresh.logs.close();
        RecordingOutcome append = new RecordingOutcome();
        RecordingOutcome commit = new RecordingOutcome();

        log().append(List.of(new ToBucket(0, enqueue("a"))), append);
        log().commit(List.of(new ToBucket(0, enqueue("a"))), new OrderFence(), commit);

        assertThat(append.await()).isInstanceOf(LogClosedException.class);
        assertThat(commit.await()).isInstanceOf(LogClosedException.class);
    }

    private void committed(String payload) throws InterruptedException {
        RecordingOutcome outcome = new RecordingOutcome();
        log().commit(List.of(new ToBucket(0, enqueue(payload))), new OrderFence(), outcome);
        assertThat(outcome.await()).isNull();
    }

    private static PublishMessage large() {
        PublishMessage small = message("");
        return new PublishMessage(
                small.publisher(),
                small.topic(),
                small.qos(),
                small.retain(),
                small.properties(),
                BinaryData.wrap(new byte[KafkaTopics.LARGEST_RECORD_BYTES]),
                small.expiresAtMillis());
    }

    private TransactionalId secondId() {
        return new TransactionalId(fresh.life.incarnation(), 1);
    }

    private Producer<byte[], byte[]> transactionalProducer(TransactionalId id) {
        return fresh.producer(
                "another",
                Map.of(
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        id.name(),
                        ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                        60_000));
    }
}

package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.delivery.log.OrderFence;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.StartDeadline;
import io.heddle.persistence.kafka.TestLife;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TransactionsTest {
    private static final String TOPIC = "heddle.clients";
    private static final int PRODUCERS = 2;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PendingAppends pending = new PendingAppends(100_000, registry);
    /** The faults of the next commits. */
    private final ConcurrentLinkedQueue<KafkaException> faults = new ConcurrentLinkedQueue<>();

    private final List<String> committed = Collections.synchronizedList(new ArrayList<>());
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentLinkedQueue<Integer> writers = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch commits = new CountDownLatch(0);
    private int created;
    private final LifeConfirmation life = new LifeConfirmation(new TestLife());
    private final Transactions transactions = new Transactions(
            CommitLane.STATE,
            List.of(
                    new TransactionalProducer(() -> producer(0), life),
                    new TransactionalProducer(() -> producer(1), life)),
            pending.changes(),
            new AppendMetrics(System::nanoTime, registry));

    private FaultyProducer producer(int number) {
        created++;
        return new FaultyProducer(number);
    }

    @BeforeEach
    void start() {
        transactions.start(
                StartDeadline.after(Duration.ofSeconds(10), System::nanoTime),
                new KafkaFaults(new KafkaSettings(
                        "localhost:9092",
                        Duration.ofSeconds(1),
                        1,
                        1,
                        KafkaSettings.DEFAULT_BUCKET_LOG_BYTES,
                        Map.of())));
    }

    @AfterEach
    void stop() {
        transactions.stop();
        transactions.awaitEnd(Deadline.in(Duration.ofSeconds(10), System::nanoTime));
    }

    @Test
    void repeatableCommitsAreRetriedInTheirOrderByTheSameProducer() {
        CountDownLatch first = new CountDownLatch(1);
        commits = first;
        commit("0");
        await().until(() -> writers.size() == 1);
        faults.add(new InvalidProducerEpochException("an earlier one"));
        faults.add(new KafkaException("disconnected"));
        faults.add(new InvalidProducerEpochException("the coordinator has aborted it"));
        commit("1");
        commit("2");
        first.countDown();
        commit("3");

        await().until(() -> told.size() == 4);
        assertThat(told).containsExactly("committed 0", "committed 1", "committed 2", "committed 3");
        assertThat(committed).containsExactly("0", "1", "2", "3");
        assertThat(writers).startsWith(0, 0);
        assertThat(created).as("each fenced one was replaced").isEqualTo(PRODUCERS + 2);
        assertThat(pending.changes().bytes()).isZero();
        assertThat(registry.get("heddle.kafka.transactions")
                        .tags("lane", "state", "outcome", "aborted")
                        .timer()
                        .count())
                .isEqualTo(3);
    }

    @Test
    void aCommitThatMustNotBeStoredTwiceFailsAndTheOthersOfItsTransactionAreRetried() {
        CountDownLatch first = new CountDownLatch(1);
        commits = first;
        commit("0");
        await().until(() -> writers.size() == 1);
        OrderFence order = new OrderFence();
        commit("1");
        transactions.commit(Commit.once(List.of(record("2")), order, listener("2")));
        commit("3");
        transactions.commit(Commit.once(List.of(record("4")), new OrderFence(), listener("4")));
        faults.clear();
        faultsAfterFirst(new KafkaException("disconnected"));
        commits = new CountDownLatch(0);
        first.countDown();

        await().until(() -> told.size() == 5);
        assertThat(committed).containsExactly("0", "1", "3");
        assertThat(told)
                .containsExactly(
                        "committed 0",
                        "failed 2 KafkaException",
                        "failed 4 KafkaException",
                        "committed 1",
                        "committed 3");
        assertThat(order.isBroken()).isTrue();
    }

    /** The transaction in progress commits; the next one fails. */
    private void faultsAfterFirst(KafkaException fault) {
        faults.add(new NoFault());
        faults.add(fault);
    }

    @Test
    void onlyTheCommitOfARecordThatCanNeverBeStoredFails() {
        CountDownLatch first = new CountDownLatch(1);
        commits = first;
        commit("0");
        await().until(() -> writers.size() == 1);
        commit("1");
        commit("too large");
        commit("2");
        first.countDown();

        await().until(() -> told.size() == 4);
        assertThat(told)
                .containsExactly(
                        "committed 0", "committed 1", "failed too large RecordTooLargeException", "committed 2");
        assertThat(committed).containsExactly("0", "1", "2");
        assertThat(pending.changes().bytes()).isZero();
    }

    @Test
    void queuedCommitsAreWrittenWhenTheNodeStops() {
        CountDownLatch first = new CountDownLatch(1);
        commits = first;
        commit("0");
        await().until(() -> writers.size() == 1);
        commit("1");
        transactions.stop();
        commit("2");
        first.countDown();

        await().until(() -> told.size() == 3);
        assertThat(told).containsExactly("failed 2 LogClosedException", "committed 0", "committed 1");
        assertThat(committed).containsExactly("0", "1");
    }

    @Test
    void queuedCommitsFailWhenTheNodeStopsAndKafkaDoesNotAcceptThem() {
        CountDownLatch first = new CountDownLatch(1);
        commits = first;
        commit("0");
        await().until(() -> writers.size() == 1);
        commit("1");
        faultsAfterFirst(new KafkaException("disconnected"));
        transactions.stop();
        first.countDown();

        await().until(() -> told.size() == 2);
        assertThat(told).containsExactly("committed 0", "failed 1 KafkaException");
        assertThat(pending.changes().bytes()).isZero();
    }

    private void commit(String value) {
        transactions.commit(Commit.repeatable(List.of(record(value)), new OrderFence(), listener(value)));
    }

    private static ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>(TOPIC, 0, new byte[0], value.getBytes(StandardCharsets.UTF_8));
    }

    private Commit.Listener listener(String value) {
        return new Commit.Listener() {
            @Override
            public void onCommitted(long[] offsets) {
                told.add("committed " + value);
            }

            @Override
            public void onFailed(Throwable reason) {
                told.add("failed " + value + " " + reason.getClass().getSimpleName());
            }
        };
    }

    private static final class NoFault extends KafkaException {
        private static final long serialVersionUID = 1L;
    }

    /** Commits transactions, or fails as told. */
    private final class FaultyProducer extends MockProducer<byte[], byte[]> {
        private final int number;
        private final List<String> written = new ArrayList<>();
        private @Nullable RuntimeException rejection;
        private boolean isFenced;

        FaultyProducer(int number) {
            super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
            this.number = number;
        }

        @Override
        public void beginTransaction() {
            written.clear();
            rejection = null;
            super.beginTransaction();
            writers.add(number);
        }

        @Override
        public synchronized java.util.concurrent.Future<org.apache.kafka.clients.producer.RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, org.apache.kafka.clients.producer.@Nullable Callback callback) {
            String value = new String(record.value(), StandardCharsets.UTF_8);
            written.add(value);
            if (value.equals("too large")) {
                rejection = new RecordTooLargeException("17 MB");
            }
            return super.send(record, callback);
        }

        @Override
        public void commitTransaction() {
            awaitCommits();
            KafkaException fault = faults.poll();
            if (rejection != null) {
                throw new KafkaException("a record was rejected", rejection);
            }
            if (fault != null && !(fault instanceof NoFault)) {
                isFenced = fault instanceof InvalidProducerEpochException;
                throw fault;
            }
            super.commitTransaction();
            committed.addAll(written);
        }

        private void awaitCommits() {
            try {
                commits.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void abortTransaction() {
            if (isFenced) {
                throw new InvalidProducerEpochException("fenced");
            }
            super.abortTransaction();
        }
    }
}

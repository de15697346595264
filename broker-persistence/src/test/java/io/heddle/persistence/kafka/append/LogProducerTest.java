package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LogProducerTest {
    private static final String APPLICATION = "heddle.app.billing";
    private static final String TOPIC = "heddle.buckets";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PendingAppends pending = new PendingAppends(10_000, registry);
    private final RefusingProducer kafka = new RefusingProducer();

    @AutoClose
    private final LogProducer producer = new LogProducer(
            "test-bulk", kafka, pending, System::nanoTime, new AppendMetrics(System::nanoTime, registry));

    private final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @Test
    void recordsWithoutProducerMemoryAreQueuedInOrder() {
        append(0, 1);
        kafka.refuse(
                new TimeoutException("Failed to allocate 262144 bytes within the configured max blocking time 0 ms."));
        append(0, 2);
        append(0, 3);
        append(1, 4);
        assertThat(waiting()).isEqualTo(3);
        kafka.refuse(null);
        append(0, 5);

        await().until(() -> kafka.values(0).size() == 4 && kafka.values(1).size() == 1 && waiting() == 0);
        assertThat(kafka.values(0)).containsExactly(1, 2, 3, 5);
        assertThat(kafka.values(1)).containsExactly(4);
        assertThat(told).isEmpty();
        kafka.answerAll();
        assertThat(told)
                .containsExactlyInAnyOrder("appended 1", "appended 2", "appended 3", "appended 4", "appended 5");
        assertThat(pending.messages().bytes()).isZero();
    }

    @Test
    void destinationsAreIndependent() {
        kafka.refuse(new TimeoutException("Topic heddle.buckets not present in metadata after 0 ms."));
        append(0, 1);
        kafka.refuseOnly(0);

        append(1, 2);

        assertThat(kafka.values(1)).containsExactly(2);
        assertThat(kafka.values(0)).isEmpty();
    }

    @Test
    void aRejectedRecordFailsAndLaterOnesAreAppended() {
        kafka.refuse(new RecordTooLargeException("too large"));
        append(0, 1);
        assertThat(told).containsExactly("failed 1 RecordTooLargeException");
        kafka.refuse(null);

        append(0, 2);

        assertThat(kafka.values(0)).containsExactly(2);
        assertThat(failures("too_large")).isEqualTo(1);
    }

    @Test
    void aQueuedRecordThatFailsDoesNotBlockLaterOnes() {
        kafka.refuse(new TimeoutException("no memory"));
        append(0, 1);
        append(0, 2);
        kafka.refuse(new RecordTooLargeException("too large"));
        await().until(() -> told.size() == 2);
        kafka.refuse(null);
        append(0, 3);

        assertThat(told).containsExactly("failed 1 RecordTooLargeException", "failed 2 RecordTooLargeException");
        assertThat(kafka.values(0)).containsExactly(3);
    }

    @Test
    void aFatalFaultOfTheProducerFailsTheAppend() {
        kafka.throwAlways(new KafkaException("fatal"));

        append(0, 1);

        assertThat(told).containsExactly("failed 1 KafkaException");
        assertThat(failures("unknown")).isEqualTo(1);
    }

    @Test
    void aListenerMayAppend() {
        List<String> inner = new ArrayList<>();
        producer.append(destination(0), record(0, 1), new AppendListener() {
            @Override
            public void onAppended(long offset) {
                append(0, 2);
                inner.add("appended");
            }

            @Override
            public void onFailed(Throwable reason) {
                inner.add("failed");
            }
        });
        kafka.answerAll();

        assertThat(inner).containsExactly("appended");
        assertThat(kafka.values(0)).containsExactly(1, 2);
    }

    @Test
    void appendsAreAcceptedUpToTheLimitAndFailAboveTwiceTheLimit() {
        assertThat(producer.accepts(1_000_000)).as("the only one").isTrue();
        int taken = 0;
        while (producer.accepts(260)) {
            append(0, taken++);
        }
        assertThat(taken).isEqualTo(38);
        while (told.isEmpty()) {
            append(0, taken++);
        }

        assertThat(told).containsExactly("failed 76 AppendLimitException");
        assertThat(failures("pending_limit")).isEqualTo(1);
        kafka.answerAll();
        assertThat(producer.accepts(260)).isTrue();
    }

    @Test
    void aPublisherMayHaveAQuarterOfTheFreeBytes() {
        assertThat(producer.publisherShare()).isEqualTo(1_250);
        int taken = 0;
        for (; taken < 10; taken++) {
            append(0, taken);
        }
        assertThat(producer.publisherShare())
                .isEqualTo((5_000 - pending.messages().bytes()) / 4);
        while (pending.messages().bytes() < 5_000) {
            append(0, taken++);
        }
        assertThat(producer.publisherShare()).isZero();
        assertThat(producer.accepts(4_000)).as("room for those who begin").isTrue();

        kafka.answerAll();
        assertThat(producer.publisherShare()).isEqualTo(1_250);
    }

    @Test
    void theRecordsOfOneMessageHaveRoomTogetherWhileTheLimitIsNotReached() {
        append(0, 1);
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            records.add(new ProducerRecord<>("topic", 0, null, new byte[1_900]));
        }

        assertThat(producer.reserve(records)).isNull();
        assertThat(pending.messages().bytes()).isGreaterThan(3 * 10_000);
        assertThat(producer.reserve(records)).isInstanceOf(AppendLimitException.class);
    }

    @Test
    void changesDoNotExhaustTheShareOfMessages() {
        Destination routes = producer.destination(KafkaTopics.PROGRESS, 0);
        List<String> failed = new ArrayList<>();
        int changes = 0;
        while (failed.isEmpty()) {
            changes++;
            producer.append(
                    routes,
                    new ProducerRecord<>(KafkaTopics.PROGRESS, 0, new byte[] {1}, new byte[] {1}),
                    new AppendListener() {
                        @Override
                        public void onAppended(long offset) {}

                        @Override
                        public void onFailed(Throwable reason) {
                            failed.add(reason.getClass().getSimpleName());
                        }
                    });
        }
        assertThat(changes).as("10,000 bytes of 258 each, and one too many").isEqualTo(39);
        assertThat(failed).containsExactly("AppendLimitException");

        assertThat(producer.accepts(10_000)).isTrue();
        append(0, 1);
        assertThat(told).isEmpty();
    }

    @Test
    void queuedRecordsFailOnClose() {
        kafka.refuse(new TimeoutException("no memory"));
        append(0, 1);

        producer.close();
        append(0, 2);

        assertThat(told).containsExactly("failed 1 LogClosedException", "failed 2 LogClosedException");
        assertThat(pending.messages().bytes()).isZero();
    }

    @Test
    void abandonedRecordsAreAnsweredOnceAndReleaseTheirRoom() {
        append(APPLICATION, 0, 1);
        append(APPLICATION, 0, 2);
        kafka.refuse(new TimeoutException("no metadata"));
        append(APPLICATION, 0, 3);
        append(APPLICATION, 0, 4);
        TopicPartition log = new TopicPartition(APPLICATION, 0);

        assertThat(producer.abandon(log, record -> record.value()[3] % 2 == 1)).isEqualTo(2);
        assertThat(told).containsExactlyInAnyOrder("abandoned 1", "abandoned 3");
        assertThat(waiting()).isEqualTo(1);
        kafka.refuse(null);
        await().until(() -> kafka.values(0).size() == 3);
        kafka.answerAll();

        assertThat(told).containsExactlyInAnyOrder("abandoned 1", "abandoned 3", "appended 2", "appended 4");
        assertThat(pending.messages().bytes()).isZero();
        assertThat(producer.abandon(log, _ -> true)).isZero();
    }

    private void append(int partition, int number) {
        append(TOPIC, partition, number);
    }

    private void append(String topic, int partition, int number) {
        producer.append(producer.destination(topic, partition), record(topic, partition, number), new AppendListener() {
            @Override
            public void onAppended(long offset) {
                told.add("appended " + number);
            }

            @Override
            public void onAbandoned() {
                told.add("abandoned " + number);
            }

            @Override
            public void onFailed(Throwable reason) {
                told.add("failed " + number + " " + reason.getClass().getSimpleName());
            }
        });
    }

    private Destination destination(int partition) {
        return producer.destination(TOPIC, partition);
    }

    private static ProducerRecord<byte[], byte[]> record(int partition, int number) {
        return record(TOPIC, partition, number);
    }

    private static ProducerRecord<byte[], byte[]> record(String topic, int partition, int number) {
        return new ProducerRecord<>(topic, partition, null, new byte[] {0, 0, 0, (byte) number});
    }

    private double waiting() {
        return registry.get("heddle.kafka.append.waiting").gauge().value();
    }

    private double failures(String reason) {
        return registry.get("heddle.kafka.append.failures")
                .tags("log", TOPIC, "reason", reason)
                .counter()
                .count();
    }

    /** Rejects records like Kafka's client with max.block.ms=0: through the callback, on the calling thread. */
    private static final class RefusingProducer extends MockProducer<byte[], byte[]> {
        private @Nullable RuntimeException refusal;
        private @Nullable RuntimeException thrown;
        private int onlyPartition = -1;

        RefusingProducer() {
            super(Cluster.empty(), false, null, new ByteArraySerializer(), new ByteArraySerializer());
        }

        synchronized void refuse(@Nullable RuntimeException reason) {
            refusal = reason;
        }

        synchronized void refuseOnly(int partition) {
            onlyPartition = partition;
        }

        synchronized void throwAlways(RuntimeException reason) {
            thrown = reason;
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            RuntimeException fatal = thrown;
            if (fatal != null) {
                throw fatal;
            }
            RuntimeException reason = refusal;
            if (reason != null && (onlyPartition < 0 || onlyPartition == record.partition()) && callback != null) {
                callback.onCompletion(null, reason);
                return CompletableFuture.failedFuture(reason);
            }
            return super.send(record, callback);
        }

        synchronized List<Integer> values(int partition) {
            return history().stream()
                    .filter(record -> record.partition() == partition)
                    .map(record -> (int) record.value()[3])
                    .toList();
        }

        /** Completes all records on another thread, as Kafka's client does. */
        void answerAll() {
            CompletableFuture<Void> answered = new CompletableFuture<>();
            Thread.ofPlatform().name("mock-kafka").start(() -> {
                while (completeNext()) {
                    // Completes all records.
                }
                answered.complete(null);
            });
            answered.join();
        }
    }
}

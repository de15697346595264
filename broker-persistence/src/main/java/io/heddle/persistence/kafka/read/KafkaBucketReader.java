package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.persistence.kafka.ArrivalHeader;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads the logs of the held buckets into a sink. Owned by the thread of its {@link PollLoop}, except the requests {@link #hold}, {@link
 * #release} and {@link #rewind}, which that thread executes in their order. {@link BucketAssignment} keeps the positions.
 *
 * <p>The thread waits for the answers of all buckets before it polls again, so that a poll and a batch hold many records. Overdue answers
 * delay the other buckets only once.
 */
final class KafkaBucketReader implements PollLoop.Handler {
    private static final long REPORT_ALL_INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

    private final BucketSink sink;
    private final LongSupplier nanoTime;
    private final OwnerThread owner = new OwnerThread();
    private final ReaderTasks tasks = new ReaderTasks();
    private final BucketAssignment assignment;
    private final OverdueAnswers overdue = new OverdueAnswers();

    // Owned by the poll loop's thread.
    private boolean started;
    private long reportedAllNanos;

    /** @param partitions of all buckets; none is held */
    KafkaBucketReader(
            List<TopicPartition> partitions,
            BucketSink sink,
            String servers,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.sink = sink;
        this.nanoTime = nanoTime;
        this.reportedAllNanos = nanoTime.getAsLong();
        this.assignment = new BucketAssignment(partitions, sink, servers, registry);
    }

    /** Requests that buckets are read. Any thread. */
    void hold(Set<Integer> buckets) {
        tasks.execute(() -> assignment.hold(buckets));
    }

    /**
     * Requests that buckets are not read any more. Any thread.
     *
     * @param released completes when the sink makes no further call to a store for them
     */
    void release(Set<Integer> buckets, CompletableFuture<Void> released) {
        tasks.execute(() -> assignment.release(buckets).whenComplete((_, _) -> released.complete(null)));
    }

    /** Requests that the sink determines the position of buckets again. Any thread. */
    void rewind(Set<Integer> buckets) {
        tasks.execute(() -> assignment.rewind(buckets));
    }

    @Override
    public void prepare(Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        if (!started) {
            sink.start(tasks);
            started = true;
        }
        tasks.run();
        assignment.rewindDoubted();
        sink.advance();
        sink.sendPushes();
        assignment.update(consumer);
    }

    @Override
    public boolean isIdle() {
        owner.assertCurrent();
        return assignment.isEmpty();
    }

    @Override
    public Duration pollTimeout() {
        owner.assertCurrent();
        return Duration.ofMillis(sink.maximumWaitMillis());
    }

    @Override
    public void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        owner.assertCurrent();
        for (TopicPartition partition : records.partitions()) {
            if (assignment.isRead(partition.partition())) {
                deliver(partition.partition(), records.records(partition));
            }
        }
        reportPositions(records, consumer);
        sink.advance();
        awaitAnswers();
    }

    private void deliver(int bucket, List<ConsumerRecord<byte[], byte[]>> records) {
        List<Logged> commands = new ArrayList<>(records.size());
        String unreadable = null;
        try {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                BucketCommand command = BucketCommandFormat.read(reader(record));
                commands.add(new Logged(record.offset(), ArrivalHeader.read(record, command)));
            }
        } catch (UnreadableRecordException e) {
            unreadable = e.withAdvice() + "; later records are not delivered";
        }
        if (!commands.isEmpty()) {
            sink.onCommands(bucket, commands, records.getFirst().timestamp());
            assignment.delivered(bucket, commands.getLast().offset() + 1);
        }
        if (unreadable != null) {
            assignment.stop(bucket, unreadable);
        }
    }

    private void awaitAnswers() {
        long startNanos = nanoTime.getAsLong();
        try {
            for (long leftNanos = overdue.waitNanos(sink.pendingAnswers());
                    leftNanos > 0;
                    leftNanos = startNanos + overdue.waitNanos(sink.pendingAnswers()) - nanoTime.getAsLong()) {
                tasks.await(sink.pendingAnswers(), leftNanos);
                tasks.run();
                sink.advance();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(
                    "the reader of the bucket logs was interrupted, which no part of Heddle does", e);
        }
        overdue.onWaited(sink.pendingAnswers());
    }

    private static RecordReader reader(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        if (value == null) {
            throw new UnreadableRecordException(KafkaTopics.place(record), "it is empty");
        }
        return new RecordReader(value, () -> KafkaTopics.place(record));
    }

    /**
     * Reports the consumer's positions, which also pass transaction markers, for which there are no records. Asking the consumer costs time
     * for each bucket, so the positions of all are reported only when no record came, and ten times a second.
     */
    private void reportPositions(ConsumerRecords<byte[], byte[]> records, Consumer<byte[], byte[]> consumer) {
        long now = nanoTime.getAsLong();
        if (records.isEmpty() || now - reportedAllNanos > REPORT_ALL_INTERVAL_NANOS) {
            reportedAllNanos = now;
            assignment.reportAll(consumer);
        } else {
            assignment.report(records.partitions(), consumer);
        }
    }

    @Override
    public boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        if (!(fault instanceof WakeupException)) {
            assignment.seekAgain();
        }
        if (fault instanceof OffsetOutOfRangeException outOfRange) {
            outOfRange.offsetOutOfRangePartitions().forEach(assignment::onOutOfRange);
            return true;
        }
        return fault instanceof WakeupException;
    }
}

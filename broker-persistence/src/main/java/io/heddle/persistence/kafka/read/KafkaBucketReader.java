package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.BucketCommandFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the bucket logs into a sink and pauses the buckets that the sink does not accept. Owned by the thread of its {@link PollLoop},
 * except {@link #rewind}. States of a bucket: reading, paused, stopped. A bucket is stopped until the node restarts when one of its records
 * is unreadable, or when the position of its queues is not in its log. That position is asked for twice: a node that has lost the bucket may
 * still apply and truncate its log.
 *
 * <p>The thread waits for the answers of all buckets before it polls again, so that a poll and a batch hold many records. Overdue answers
 * delay the other buckets only once. Metric: {@code heddle.buckets.stopped}.
 */
final class KafkaBucketReader implements PollLoop.Handler {
    private static final Logger log = LoggerFactory.getLogger(KafkaBucketReader.class);
    private static final long NOT_REPORTED = -1;
    private static final long NO_POSITION = -1;
    private static final long REPORT_ALL_INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

    private final List<TopicPartition> partitions;
    private final BucketSink sink;
    private final String servers;
    private final LongSupplier nanoTime;
    private final OwnerThread owner = new OwnerThread();
    private final ReaderTasks tasks = new ReaderTasks();
    /** Buckets whose position the sink must determine again. */
    private final Set<Integer> rewinds = ConcurrentHashMap.newKeySet();

    private final AtomicInteger stoppedBuckets = new AtomicInteger();

    // Owned by the poll loop's thread, by bucket.
    private final long[] next;
    private final long[] reported;
    private final boolean[] stopped;
    /** Buckets whose position was not in their log when they were last positioned. */
    private final boolean[] doubted;

    private final boolean[] paused;
    private final Map<Integer, Long> seeks = new HashMap<>();
    private boolean assigned;
    private long reportedAllNanos;
    /** After a fault, the consumer may not be at {@link #next}. */
    private boolean mustSeek;

    private final OverdueAnswers overdue = new OverdueAnswers();

    KafkaBucketReader(
            List<TopicPartition> partitions,
            BucketSink sink,
            String servers,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.partitions = partitions;
        this.sink = sink;
        this.servers = servers;
        this.nanoTime = nanoTime;
        this.reportedAllNanos = nanoTime.getAsLong();
        this.next = new long[partitions.size()];
        Arrays.fill(next, NO_POSITION);
        this.reported = new long[partitions.size()];
        this.stopped = new boolean[partitions.size()];
        this.doubted = new boolean[partitions.size()];
        this.paused = new boolean[partitions.size()];
        Gauge.builder("heddle.buckets.stopped", stoppedBuckets, AtomicInteger::doubleValue)
                .description("Buckets whose log is no longer read because a record would be lost")
                .register(registry);
    }

    /** Requests that the sink determines the position of buckets again. Any thread. */
    void rewind(Set<Integer> buckets) {
        rewinds.addAll(buckets);
    }

    @Override
    public void prepare(Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        if (!assigned) {
            consumer.assign(partitions);
            consumer.pause(partitions);
            Arrays.fill(paused, true);
            // A consumer needs a position, though a paused partition is not read from it.
            partitions.forEach(partition -> consumer.seek(partition, 0));
            sink.start(tasks);
            assigned = true;
        }
        tasks.run();
        Set<Integer> requested = Set.copyOf(rewinds);
        if (!requested.isEmpty()) {
            rewinds.removeAll(requested);
            sink.rewind(requested);
        }
        sink.advance();
        sink.sendPushes();
        seek(consumer);
        pauseAndResume(consumer);
    }

    private void seek(Consumer<byte[], byte[]> consumer) {
        seeks.putAll(sink.takeSeeks());
        if (!seeks.isEmpty()) {
            // Queried after the positions: another node may be applying the log, and a position must not seem to be
            // beyond the end.
            Bounds bounds = new Bounds(consumer.beginningOffsets(partitions), consumer.endOffsets(partitions));
            seeks.forEach((bucket, afterOffset) -> seekBehind(bucket, afterOffset, bounds, consumer));
            seeks.clear();
        }
        for (int bucket = 0; mustSeek && bucket < partitions.size(); bucket++) {
            if (!stopped[bucket] && next[bucket] != NO_POSITION) {
                consumer.seek(partitions.get(bucket), next[bucket]);
                reported[bucket] = NOT_REPORTED;
            }
        }
        mustSeek = false;
    }

    private void pauseAndResume(Consumer<byte[], byte[]> consumer) {
        for (int bucket = 0; bucket < partitions.size(); bucket++) {
            boolean pause = stopped[bucket] || next[bucket] == NO_POSITION || !sink.canRead(bucket);
            if (pause != paused[bucket]) {
                paused[bucket] = pause;
                List<TopicPartition> one = List.of(partitions.get(bucket));
                if (pause) {
                    consumer.pause(one);
                } else {
                    consumer.resume(one);
                }
            }
        }
    }

    @Override
    public Duration pollTimeout() {
        owner.assertCurrent();
        return Duration.ofMillis(sink.maximumWaitMillis());
    }

    /** Continues behind an offset. When the log does not contain the next offset, doubts the bucket, or stops it at the second time. */
    private void seekBehind(int bucket, long afterOffset, Bounds bounds, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket]) {
            return;
        }
        TopicPartition partition = partitions.get(bucket);
        long first = bounds.first(partition);
        long from = afterOffset == BucketBatch.NOTHING ? first : afterOffset + 1;
        if (from < first) {
            doubt(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log begins at " + first
                            + " because the applied records before it were deleted. Restore a newer backup of Redis, or empty"
                            + " bucket " + bucket + " in Redis to start at offset " + first,
                    consumer);
        } else if (from > bounds.end(partition)) {
            doubt(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log ends at " + bounds.end(partition)
                            + ": Kafka lost records, or this is another Kafka. Restore Kafka, or empty bucket "
                            + bucket + " in Redis to start at offset " + first,
                    consumer);
        } else {
            if (afterOffset == BucketBatch.NOTHING && first > 0) {
                log.warn(
                        "Bucket {} has no queues in Redis, and its log begins at offset {}: undelivered messages from before that"
                                + " offset are lost",
                        bucket,
                        first);
            }
            consumer.seek(partition, from);
            doubted[bucket] = false;
            next[bucket] = from;
            reported[bucket] = NOT_REPORTED;
        }
    }

    @Override
    public void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        owner.assertCurrent();
        for (TopicPartition partition : records.partitions()) {
            if (!stopped[partition.partition()]) {
                deliver(partition.partition(), records.records(partition), consumer);
            }
        }
        reportPositions(records, consumer);
        sink.advance();
        awaitAnswers();
    }

    private void deliver(int bucket, List<ConsumerRecord<byte[], byte[]>> records, Consumer<byte[], byte[]> consumer) {
        List<Logged> commands = new ArrayList<>(records.size());
        String unreadable = null;
        try {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                commands.add(new Logged(record.offset(), BucketCommandFormat.read(reader(record))));
            }
        } catch (UnreadableRecordException e) {
            unreadable = e.getMessage()
                    + ". Start the version of Heddle that wrote it; later records are not delivered until then";
        }
        if (!commands.isEmpty()) {
            sink.onCommands(bucket, commands, records.getFirst().timestamp());
            next[bucket] = commands.getLast().offset() + 1;
        }
        if (unreadable != null) {
            stop(bucket, unreadable, consumer);
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
            for (int bucket = 0; bucket < partitions.size(); bucket++) {
                reportPosition(bucket, consumer);
            }
        } else {
            for (TopicPartition partition : records.partitions()) {
                reportPosition(partition.partition(), consumer);
            }
        }
    }

    private void reportPosition(int bucket, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket] || next[bucket] == NO_POSITION) {
            return;
        }
        long position = consumer.position(partitions.get(bucket));
        if (position != reported[bucket]) {
            reported[bucket] = position;
            sink.onReached(bucket, position);
        }
    }

    @Override
    public boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        mustSeek |= !(fault instanceof WakeupException);
        if (fault instanceof OffsetOutOfRangeException outOfRange) {
            outOfRange
                    .offsetOutOfRangePartitions()
                    .forEach((partition, offset) ->
                            doubt(partition.partition(), "its log no longer contains offset " + offset, consumer));
            return true;
        }
        return fault instanceof WakeupException;
    }

    /** Determines the position of a bucket again, or stops the bucket if the position was doubted before. */
    private void doubt(int bucket, String reason, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket]) {
            return;
        }
        if (doubted[bucket]) {
            stop(bucket, reason, consumer);
            return;
        }
        log.info("Determining the position of a bucket again: bucket={}, reason={}", bucket, reason);
        doubted[bucket] = true;
        next[bucket] = NO_POSITION;
        rewinds.add(bucket);
    }

    private void stop(int bucket, String reason, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket]) {
            return;
        }
        String sentence = "Bucket " + bucket + " of " + KafkaTopics.BUCKETS + " at " + servers
                + " is stopped; its clients receive no stored messages: " + reason;
        log.error(sentence);
        stopped[bucket] = true;
        stoppedBuckets.incrementAndGet();
        paused[bucket] = true;
        consumer.pause(List.of(partitions.get(bucket)));
        sink.onStopped(bucket, sentence);
    }

    /** The first and the next offset of each log. */
    private record Bounds(Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {
        long first(TopicPartition partition) {
            return at(beginnings, partition);
        }

        long end(TopicPartition partition) {
            return at(ends, partition);
        }

        private static long at(Map<TopicPartition, Long> offsets, TopicPartition partition) {
            Long offset = offsets.get(partition);
            if (offset == null) {
                throw new IllegalStateException("Kafka did not list the offsets of " + partition);
            }
            return offset;
        }
    }
}

package io.heddle.persistence.kafka;

import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
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
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the records of all buckets to a sink and reads each bucket as far as the sink takes it; the others are paused. Belongs to the
 * thread of its {@link PollLoop}, except {@link #rewind}. A bucket is read, or stopped for good: when a record of it can't be read, or
 * when what its queues say they have does not fit its log.
 *
 * <p>The thread waits for the answers of all buckets before it polls again, so that one poll and one batch hold many records. Answers that
 * are overdue delay the other buckets once only. Metric: {@code heddle.buckets.stopped}.
 */
final class KafkaBucketReader implements PollLoop.Handler {
    private static final Logger log = LoggerFactory.getLogger(KafkaBucketReader.class);
    private static final long NEVER_TOLD = -1;
    private static final long NOT_PLACED = -1;
    private static final long ASK_ALL_NANOS = Duration.ofMillis(100).toNanos();

    private final List<TopicPartition> partitions;
    private final BucketSink sink;
    private final String servers;
    private final ReaderTasks tasks = new ReaderTasks();
    /** Where to go on is to be asked anew. */
    private final Set<Integer> doubted = ConcurrentHashMap.newKeySet();

    private final AtomicInteger stoppedBuckets = new AtomicInteger();

    // Of the poll loop's thread, by bucket.
    private final long[] next;
    private final long[] told;
    private final boolean[] stopped;
    private final boolean[] paused;
    private final Map<Integer, Long> seeks = new HashMap<>();
    private boolean assigned;
    private long askedAllNanos = System.nanoTime();
    /** Whether the consumer may not be at {@link #next}. */
    private boolean unsure;

    private final OverdueAnswers overdue = new OverdueAnswers();

    KafkaBucketReader(List<TopicPartition> partitions, BucketSink sink, String servers, MeterRegistry registry) {
        this.partitions = partitions;
        this.sink = sink;
        this.servers = servers;
        this.next = new long[partitions.size()];
        Arrays.fill(next, NOT_PLACED);
        this.told = new long[partitions.size()];
        this.stopped = new boolean[partitions.size()];
        this.paused = new boolean[partitions.size()];
        Gauge.builder("heddle.buckets.stopped", stoppedBuckets, AtomicInteger::doubleValue)
                .description("Buckets whose log is not read any more because going on would lose something")
                .register(registry);
    }

    /** Any thread. */
    void rewind(Set<Integer> buckets) {
        doubted.addAll(buckets);
    }

    @Override
    public void prepare(Consumer<byte[], byte[]> consumer) {
        if (!assigned) {
            consumer.assign(partitions);
            consumer.pause(partitions);
            Arrays.fill(paused, true);
            // It is not read from there, but it has to stand somewhere.
            partitions.forEach(partition -> consumer.seek(partition, 0));
            sink.start(tasks);
            assigned = true;
        }
        tasks.run();
        Set<Integer> asked = Set.copyOf(doubted);
        if (!asked.isEmpty()) {
            doubted.removeAll(asked);
            sink.rewind(asked);
        }
        sink.advance();
        sink.sendPushes();
        seek(consumer);
        pauseAndResume(consumer);
    }

    private void seek(Consumer<byte[], byte[]> consumer) {
        seeks.putAll(sink.takeSeeks());
        if (!seeks.isEmpty()) {
            Bounds bounds = new Bounds(consumer.beginningOffsets(partitions), consumer.endOffsets(partitions));
            seeks.forEach((bucket, afterOffset) -> goTo(bucket, afterOffset, bounds, consumer));
            seeks.clear();
        }
        for (int bucket = 0; unsure && bucket < partitions.size(); bucket++) {
            if (!stopped[bucket] && next[bucket] != NOT_PLACED) {
                consumer.seek(partitions.get(bucket), next[bucket]);
                told[bucket] = NEVER_TOLD;
            }
        }
        unsure = false;
    }

    private void pauseAndResume(Consumer<byte[], byte[]> consumer) {
        for (int bucket = 0; bucket < partitions.size(); bucket++) {
            boolean pause = stopped[bucket] || next[bucket] == NOT_PLACED || !sink.canRead(bucket);
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
    public Duration patience() {
        return Duration.ofMillis(sink.maximumWaitMillis());
    }

    /** Goes on behind an offset, or stops the bucket when that is not in its log. */
    private void goTo(int bucket, long afterOffset, Bounds bounds, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket]) {
            return;
        }
        TopicPartition partition = partitions.get(bucket);
        long first = bounds.first(partition);
        long from = afterOffset == BucketBatch.NOTHING ? first : afterOffset + 1;
        if (from < first) {
            stop(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log begins at " + first
                            + ": they were restored from before what has been deleted since. Restore a Redis that is not older,"
                            + " or empty bucket " + bucket + " in Redis to begin at what is left",
                    consumer);
        } else if (from > bounds.end(partition)) {
            stop(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log ends at " + bounds.end(partition)
                            + ": Kafka has lost records, or this is another Kafka. Restore it, or empty bucket "
                            + bucket
                            + " in Redis to begin at what is there",
                    consumer);
        } else {
            if (afterOffset == BucketBatch.NOTHING && first > 0) {
                log.warn(
                        "Bucket {}: Redis has no queues of it, and its log begins at offset {}: what was queued before that and not"
                                + " delivered is lost",
                        bucket,
                        first);
            }
            consumer.seek(partition, from);
            next[bucket] = from;
            told[bucket] = NEVER_TOLD;
        }
    }

    @Override
    public void polled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        for (TopicPartition partition : records.partitions()) {
            if (!stopped[partition.partition()]) {
                handOver(partition.partition(), records.records(partition), consumer);
            }
        }
        tellReached(records, consumer);
        sink.advance();
        awaitAnswers();
    }

    private void handOver(int bucket, List<ConsumerRecord<byte[], byte[]>> records, Consumer<byte[], byte[]> consumer) {
        List<Logged> commands = new ArrayList<>(records.size());
        String unreadable = null;
        try {
            for (ConsumerRecord<byte[], byte[]> record : records) {
                commands.add(new Logged(record.offset(), BucketCommandFormat.read(reader(record))));
            }
        } catch (UnreadableRecordException e) {
            unreadable = e.getMessage()
                    + ". Start the version of Heddle that wrote it; nothing behind it is delivered until then";
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
        long startNanos = System.nanoTime();
        try {
            for (long leftNanos = overdue.waitNanos(sink.pendingAnswers());
                    leftNanos > 0;
                    leftNanos = startNanos + overdue.waitNanos(sink.pendingAnswers()) - System.nanoTime()) {
                tasks.await(sink.pendingAnswers(), leftNanos);
                tasks.run();
                sink.advance();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the reader of the bucket logs", e);
        }
        overdue.waited(sink.pendingAnswers());
    }

    private static RecordReader reader(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        if (value == null) {
            throw new UnreadableRecordException(KafkaTopics.place(record), "it is empty");
        }
        return new RecordReader(value, () -> KafkaTopics.place(record));
    }

    /**
     * What was handed over is reached, and so is what lies behind it and is nothing to hand over. Asking the consumer takes time
     * for each bucket: all are asked when nothing came, and now and then.
     */
    private void tellReached(ConsumerRecords<byte[], byte[]> records, Consumer<byte[], byte[]> consumer) {
        long now = System.nanoTime();
        if (records.isEmpty() || now - askedAllNanos > ASK_ALL_NANOS) {
            askedAllNanos = now;
            for (int bucket = 0; bucket < partitions.size(); bucket++) {
                tellReached(bucket, consumer);
            }
        } else {
            for (TopicPartition partition : records.partitions()) {
                tellReached(partition.partition(), consumer);
            }
        }
    }

    private void tellReached(int bucket, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket] || next[bucket] == NOT_PLACED) {
            return;
        }
        long position = consumer.position(partitions.get(bucket));
        if (position != told[bucket]) {
            told[bucket] = position;
            sink.onReached(bucket, position);
        }
    }

    @Override
    public boolean failed(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
        unsure |= !(fault instanceof WakeupException);
        if (fault instanceof OffsetOutOfRangeException lost) {
            lost.offsetOutOfRangePartitions()
                    .forEach((partition, offset) ->
                            stop(partition.partition(), "offset " + offset + " is not in its log any more", consumer));
            return true;
        }
        return fault instanceof WakeupException;
    }

    private void stop(int bucket, String reason, Consumer<byte[], byte[]> consumer) {
        if (stopped[bucket]) {
            return;
        }
        String sentence = "Bucket " + bucket + " of " + KafkaTopics.BUCKETS + " at " + servers
                + " is stopped, its clients get no stored messages: " + reason;
        log.error(sentence);
        stopped[bucket] = true;
        stoppedBuckets.incrementAndGet();
        paused[bucket] = true;
        consumer.pause(List.of(partitions.get(bucket)));
        sink.onStopped(bucket, sentence);
    }

    /** Where the log begins and ends. */
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
                throw new IllegalStateException("Kafka did not say where " + partition + " begins and ends");
            }
            return offset;
        }
    }
}

package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The held buckets and the position of the consumer in each of their logs. Owned by the thread of the {@link PollLoop} {@code
 * heddle-buckets}.
 *
 * <p>States of a held bucket: awaiting its position → assigned to the consumer (reading or paused) → stopped, until its release. A bucket
 * is stopped when one of its records is unreadable, or when the position of its queues is not in its log. That position is determined twice
 * before: a node that has lost the bucket may still apply and truncate its log. Metric: {@code heddle.buckets.stopped}.
 */
final class BucketAssignment {
    private static final Logger log = LoggerFactory.getLogger(BucketAssignment.class);
    private static final long NOT_REPORTED = -1;

    private final List<TopicPartition> partitions;
    private final BucketSink sink;
    private final String servers;
    private final OwnerThread owner = new OwnerThread();
    private final AtomicInteger stoppedBuckets = new AtomicInteger();

    private final SortedMap<Integer, HeldBucket> held = new TreeMap<>();
    private final Map<Integer, Long> seeks = new HashMap<>();
    private final Set<Integer> doubted = new HashSet<>();
    /** The partitions of the consumer differ from the buckets that are read. */
    private boolean mustAssign;
    /** After a fault, the consumer may not be at the positions of the buckets. */
    private boolean mustSeek;

    /** A held bucket and the position of the consumer in its log. Owned by the same thread. */
    private static final class HeldBucket {
        private final int bucket;
        private final TopicPartition partition;
        private boolean positioned;
        private long next;
        private long reported = NOT_REPORTED;
        private boolean paused;
        private boolean stopped;
        /** Its position was not in its log when it was last positioned. */
        private boolean isDoubted;

        HeldBucket(int bucket, TopicPartition partition) {
            this.bucket = bucket;
            this.partition = partition;
        }

        boolean isRead() {
            return positioned && !stopped;
        }
    }

    /** @param partitions of all buckets; none is held */
    BucketAssignment(List<TopicPartition> partitions, BucketSink sink, String servers, MeterRegistry registry) {
        this.partitions = partitions;
        this.sink = sink;
        this.servers = servers;
        Gauge.builder("heddle.buckets.stopped", stoppedBuckets, AtomicInteger::doubleValue)
                .description("Held buckets whose log is no longer read because a record would be lost")
                .register(registry);
    }

    void hold(Set<Integer> buckets) {
        owner.assertCurrent();
        Set<Integer> gained = new HashSet<>(buckets);
        gained.removeAll(held.keySet());
        gained.forEach(bucket -> held.put(bucket, new HeldBucket(bucket, partitions.get(bucket))));
        sink.hold(gained);
    }

    CompletionStage<Void> release(Set<Integer> buckets) {
        owner.assertCurrent();
        for (int bucket : buckets) {
            HeldBucket released = held.remove(bucket);
            if (released != null) {
                mustAssign |= released.isRead();
                stoppedBuckets.addAndGet(released.stopped ? -1 : 0);
            }
        }
        seeks.keySet().removeAll(buckets);
        doubted.removeAll(buckets);
        return sink.release(buckets);
    }

    /** Makes the sink determine the positions of held buckets again. */
    void rewind(Set<Integer> buckets) {
        owner.assertCurrent();
        Set<Integer> requested = new HashSet<>(buckets);
        requested.retainAll(held.keySet());
        sink.rewind(requested);
    }

    /** Returns whether the consumer has no partition to poll. */
    boolean isEmpty() {
        return held.values().stream().noneMatch(HeldBucket::isRead);
    }

    /** Makes the sink determine the positions that were doubted. */
    void rewindDoubted() {
        owner.assertCurrent();
        if (!doubted.isEmpty()) {
            sink.rewind(Set.copyOf(doubted));
            doubted.clear();
        }
    }

    /** Lets the consumer read the buckets that the sink accepts: assigns, seeks, pauses and resumes partitions. */
    void update(Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        seeks.putAll(sink.takeSeeks());
        List<HeldBucket> positioned = seeks.isEmpty() ? List.of() : position(consumer);
        boolean seekAll = mustSeek;
        // Until the consumer is at the new positions.
        mustSeek |= !positioned.isEmpty();
        if (mustAssign) {
            consumer.assign(held.values().stream()
                    .filter(HeldBucket::isRead)
                    .map(bucket -> bucket.partition)
                    .toList());
            mustAssign = false;
        }
        for (HeldBucket bucket : seekAll ? held.values() : positioned) {
            if (bucket.isRead()) {
                consumer.seek(bucket.partition, bucket.next);
                bucket.reported = NOT_REPORTED;
            }
        }
        mustSeek = false;
        pauseAndResume(consumer);
    }

    /** Sets the positions that the sink wants, and returns the buckets whose logs contain them. */
    private List<HeldBucket> position(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> wanted =
                seeks.keySet().stream().map(partitions::get).toList();
        // Queried after the positions: another node may be applying the log, and a position must not seem to be beyond
        // the end.
        Bounds bounds = new Bounds(consumer.beginningOffsets(wanted), consumer.endOffsets(wanted));
        List<HeldBucket> positioned = new ArrayList<>();
        seeks.forEach((number, afterOffset) -> {
            HeldBucket bucket = held.get(number);
            if (bucket != null && !bucket.stopped && isPositionedBehind(bucket, afterOffset, bounds)) {
                positioned.add(bucket);
            }
        });
        seeks.clear();
        return positioned;
    }

    /**
     * Continues behind an offset. If the log does not contain the next offset, determines the position again; at the second time, stops the
     * bucket.
     */
    private boolean isPositionedBehind(HeldBucket bucket, long afterOffset, Bounds bounds) {
        long first = bounds.first(bucket.partition);
        long from = afterOffset == BucketBatch.NOTHING ? first : afterOffset + 1;
        if (from < first) {
            doubt(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log begins at " + first
                            + " because the applied records before it were deleted. Restore a newer backup of Redis, or empty"
                            + " bucket " + bucket.bucket + " in Redis to start at offset " + first);
            return false;
        }
        if (from > bounds.end(bucket.partition)) {
            doubt(
                    bucket,
                    "its queues are at offset " + afterOffset + ", but its log ends at " + bounds.end(bucket.partition)
                            + ": Kafka lost records, or this is another Kafka. Restore Kafka, or empty bucket "
                            + bucket.bucket + " in Redis to start at offset " + first);
            return false;
        }
        if (afterOffset == BucketBatch.NOTHING && first > 0) {
            log.warn(
                    "Bucket {} has no queues in Redis, and its log begins at offset {}: undelivered messages from before that"
                            + " offset are lost",
                    bucket.bucket,
                    first);
        }
        mustAssign |= !bucket.positioned;
        bucket.positioned = true;
        bucket.isDoubted = false;
        bucket.next = from;
        return true;
    }

    private void pauseAndResume(Consumer<byte[], byte[]> consumer) {
        for (HeldBucket bucket : held.values()) {
            boolean pause = !sink.canRead(bucket.bucket);
            if (bucket.isRead() && pause != bucket.paused) {
                bucket.paused = pause;
                List<TopicPartition> one = List.of(bucket.partition);
                if (pause) {
                    consumer.pause(one);
                } else {
                    consumer.resume(one);
                }
            }
        }
    }

    /** Returns whether records of a bucket are expected: it is held, positioned and not stopped. */
    boolean isRead(int bucket) {
        HeldBucket known = held.get(bucket);
        return known != null && known.isRead();
    }

    /** Records that the commands of a bucket below this offset were handed over to the sink. */
    void delivered(int bucket, long next) {
        HeldBucket known = held.get(bucket);
        if (known != null) {
            known.next = next;
        }
    }

    /** Reports the positions of the consumer in all logs to the sink. */
    void reportAll(Consumer<byte[], byte[]> consumer) {
        held.values().forEach(bucket -> report(bucket, consumer));
    }

    /** Reports the positions of the consumer in the logs of some partitions to the sink. */
    void report(Collection<TopicPartition> some, Consumer<byte[], byte[]> consumer) {
        for (TopicPartition partition : some) {
            HeldBucket bucket = held.get(partition.partition());
            if (bucket != null) {
                report(bucket, consumer);
            }
        }
    }

    private void report(HeldBucket bucket, Consumer<byte[], byte[]> consumer) {
        if (bucket.isRead()) {
            long position = consumer.position(bucket.partition);
            if (position != bucket.reported) {
                bucket.reported = position;
                sink.onReached(bucket.bucket, position);
            }
        }
    }

    /** After a fault, the consumer seeks to all positions again. */
    void seekAgain() {
        mustSeek = true;
    }

    /** Determines the position of a bucket again, whose log no longer contains this offset. */
    void onOutOfRange(TopicPartition partition, long offset) {
        owner.assertCurrent();
        HeldBucket bucket = held.get(partition.partition());
        if (bucket != null) {
            doubt(bucket, "its log no longer contains offset " + offset);
        }
    }

    /** Determines the position of a bucket again, or stops the bucket if the position was doubted before. */
    private void doubt(HeldBucket bucket, String reason) {
        if (bucket.stopped) {
            return;
        }
        if (bucket.isDoubted) {
            stop(bucket, reason);
            return;
        }
        log.info("Determining the position of a bucket again: bucket={}, reason={}", bucket.bucket, reason);
        mustAssign |= bucket.positioned;
        bucket.isDoubted = true;
        bucket.positioned = false;
        bucket.paused = false;
        doubted.add(bucket.bucket);
    }

    /** Stops a bucket until it is released. */
    void stop(int bucket, String reason) {
        HeldBucket known = held.get(bucket);
        if (known != null && !known.stopped) {
            stop(known, reason);
        }
    }

    private void stop(HeldBucket bucket, String reason) {
        String sentence = "Bucket " + bucket.bucket + " of " + KafkaTopics.BUCKETS + " at " + servers
                + " is stopped; its clients receive no stored messages: " + reason;
        log.error(sentence);
        mustAssign |= bucket.positioned;
        bucket.stopped = true;
        stoppedBuckets.incrementAndGet();
        sink.onStopped(bucket.bucket, sentence);
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

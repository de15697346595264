package io.heddle.persistence.kafka.read;

import io.heddle.core.OwnerThread;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.LogFollower;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.record.ConditionFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Passes the records of a compacted topic to a follower, from the beginning until the loop is closed. Confined to the thread of its {@link
 * PollLoop}, which retries while Kafka is away. States: new → following ⇄ paused, while the follower has no room → lost, when the topic was
 * replaced or a record is unreadable.
 */
final class TopicFollower<R> implements PollLoop.Handler {
    private static final Duration FULL_POLL = Duration.ofMillis(5);
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);

    private final List<TopicPartition> partitions;
    private final RecordDecoder<R> decoder;
    private final LogFollower<R> follower;
    private final OwnerThread owner = new OwnerThread();
    private final AtomicLong lag = new AtomicLong();
    private final long[] next;
    private final long[] reported;
    private boolean isStarted;
    private boolean isPositioned;
    private boolean isPaused;
    private boolean isLost;

    TopicFollower(List<TopicPartition> partitions, RecordDecoder<R> decoder, LogFollower<R> follower) {
        this.partitions = partitions;
        this.decoder = decoder;
        this.follower = follower;
        this.next = new long[partitions.size()];
        this.reported = new long[partitions.size()];
    }

    /** Returns the number of records in Kafka that were not passed on, as of the last poll. Any thread. */
    long lag() {
        return lag.get();
    }

    @Override
    public void prepare(Consumer<byte[], byte[]> consumer) {
        owner.assertCurrent();
        if (!isPositioned) {
            consumer.assign(partitions);
            if (!isStarted) {
                start(consumer);
            }
            for (int i = 0; i < next.length; i++) {
                consumer.seek(partitions.get(i), next[i]);
            }
            isPositioned = true;
            isPaused = false;
        }
        boolean mustPause = isLost || !follower.hasRoom();
        if (mustPause != isPaused) {
            isPaused = mustPause;
            if (mustPause) {
                consumer.pause(partitions);
            } else {
                consumer.resume(partitions);
            }
        }
    }

    private void start(Consumer<byte[], byte[]> consumer) {
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<Long> inOrder = new ArrayList<>(next.length);
        for (int i = 0; i < next.length; i++) {
            next[i] = offset(beginnings, partitions.get(i));
            inOrder.add(offset(ends, partitions.get(i)));
        }
        isStarted = true;
        follower.onStart(inOrder);
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        Long offset = offsets.get(partition);
        if (offset == null) {
            throw StoreUnavailableException.kafka("Kafka did not list the offset of " + partition, null);
        }
        return offset;
    }

    @Override
    public Duration pollTimeout() {
        return isPaused && !isLost ? FULL_POLL : IDLE_POLL;
    }

    @Override
    public void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        owner.assertCurrent();
        if (isLost) {
            return;
        }
        for (ConsumerRecord<byte[], byte[]> record : records) {
            pass(record);
        }
        long behind = 0;
        for (int i = 0; i < next.length; i++) {
            TopicPartition partition = partitions.get(i);
            next[i] = Math.max(next[i], consumer.position(partition));
            if (next[i] != reported[i]) {
                reported[i] = next[i];
                follower.onReached(i, next[i]);
            }
            OptionalLong partitionLag = consumer.currentLag(partition);
            behind += partitionLag.isPresent() ? partitionLag.getAsLong() : 0;
        }
        lag.set(behind);
    }

    private void pass(ConsumerRecord<byte[], byte[]> record) {
        byte[] key = record.key();
        byte[] value = record.value();
        if (key == null) {
            throw new UnreadableRecordException(KafkaTopics.place(record), "it has no key");
        }
        R decoded = decoder.decode(
                new RecordReader(key, () -> KafkaTopics.place(record)),
                value == null ? null : new RecordReader(value, () -> KafkaTopics.place(record)),
                condition(record));
        follower.onRecord(record.partition(), record.offset(), decoded);
        next[record.partition()] = record.offset() + 1;
    }

    private static @Nullable RecordReader condition(ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(ConditionFormat.HEADER);
        return header == null ? null : new RecordReader(header.value(), () -> KafkaTopics.place(record));
    }

    @Override
    public boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
        if (fault instanceof WakeupException) {
            return true;
        }
        isPositioned = false;
        switch (fault) {
            case OffsetOutOfRangeException _ ->
                lose("Kafka no longer has the next record of "
                        + partitions.getFirst().topic() + ", because the topic was replaced");
            case UnreadableRecordException unreadable -> lose(unreadable.withAdvice());
            default -> {
                // The loop retries from the first record that was not passed on.
            }
        }
        return isLost;
    }

    private void lose(String reason) {
        if (!isLost) {
            isLost = true;
            follower.onLost(reason);
        }
    }
}

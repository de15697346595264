package io.heddle.persistence.kafka.nodes;

import io.heddle.core.cluster.NodeLog;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.NodeRecordFormat;
import io.heddle.persistence.record.RecordReader;
import io.heddle.persistence.record.UnreadableRecordException;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/** Passes the records of the log of nodes to its follower. Confined to the thread of its {@link PollLoop}. */
final class NodeLogReader implements PollLoop.Handler {
    private final TopicPartition partition;
    private final NodeLog.Follower follower;
    private long next;
    private boolean isPositioned;
    private boolean isLost;

    NodeLogReader(TopicPartition partition, long beginning, NodeLog.Follower follower) {
        this.partition = partition;
        this.next = beginning;
        this.follower = follower;
    }

    @Override
    public void prepare(Consumer<byte[], byte[]> consumer) {
        if (!isPositioned) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, next);
            isPositioned = true;
        }
        if (isLost) {
            consumer.pause(List.of(partition));
        }
    }

    @Override
    public void onPolled(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            follower.onRecord(
                    record.offset(),
                    NodeRecordFormat.read(new RecordReader(record.value(), () -> KafkaTopics.place(record))));
            next = record.offset() + 1;
        }
        if (!isLost) {
            next = Math.max(next, consumer.position(partition));
            follower.onReached(next);
        }
    }

    @Override
    public boolean onFailure(RuntimeException fault, Consumer<byte[], byte[]> consumer) {
        if (fault instanceof WakeupException) {
            return true;
        }
        isPositioned = false;
        switch (fault) {
            case OffsetOutOfRangeException _ ->
                lose("Kafka no longer has the record of " + NodeLog.NAME + " at offset " + next
                        + ", which this node has not read");
            case UnreadableRecordException unreadable -> lose(unreadable.withAdvice());
            default -> {
                // The loop retries from the first record that was not applied.
            }
        }
        return isLost;
    }

    private void lose(String reason) {
        isLost = true;
        follower.onLost(reason);
    }
}

package io.heddle.persistence.kafka.backup;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.PollLoop;
import io.heddle.persistence.record.NodeRecordFormat;
import io.heddle.persistence.record.RecordReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The nodes that have written to the log of nodes within a lease and have not left. One thread. */
final class LivingNodes {
    private static final TopicPartition LOG = new TopicPartition(KafkaTopics.NODES, KafkaTopics.NODES_PARTITION);

    private final Duration lease;
    private final InstantSource clock;
    private final Map<Incarnation, Heard> heard = new HashMap<>();

    private record Heard(String nodeId, long atMillis) {}

    /** @param lease the time after which a silent node is dead */
    LivingNodes(Duration lease, InstantSource clock) {
        this.lease = lease;
        this.clock = clock;
    }

    /** Reads the log of nodes to its end and returns the ids of the nodes, in order. */
    Set<String> read(Consumer<byte[], byte[]> consumer) {
        consumer.assign(List.of(LOG));
        consumer.seekToBeginning(List.of(LOG));
        Map<TopicPartition, Long> ends = consumer.endOffsets(List.of(LOG));
        PollLoop.until(() -> TopicsBackup.isAt(consumer, ends), consumer, polled -> polled.forEach(this::hear));
        Set<String> living = new TreeSet<>();
        long since = clock.millis() - lease.toMillis();
        heard.values().stream().filter(node -> node.atMillis() >= since).forEach(node -> living.add(node.nodeId()));
        return living;
    }

    private void hear(ConsumerRecord<byte[], byte[]> record) {
        NodeRecord read = NodeRecordFormat.read(new RecordReader(record.value(), () -> KafkaTopics.place(record)));
        switch (read) {
            case NodeRecord.Joined joined ->
                heard.put(
                        new Incarnation(record.offset(), joined.random()),
                        new Heard(joined.node().id().value(), record.timestamp()));
            case NodeRecord.Heartbeat beat ->
                heard.put(beat.writer(), new Heard(beat.node().id().value(), record.timestamp()));
            case NodeRecord.Left left -> heard.remove(left.writer());
            case NodeRecord.Dead dead -> heard.remove(dead.incarnation());
            case NodeRecord.OfMember _ -> {
                // A heartbeat follows.
            }
        }
    }
}

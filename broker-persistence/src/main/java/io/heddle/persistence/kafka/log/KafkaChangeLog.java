package io.heddle.persistence.kafka.log;

import io.heddle.core.cluster.ChangeLog;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.TopicReplay;
import io.heddle.persistence.record.ChangeFormat;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A map stored as a compacted topic with {@link KafkaTopics#COMPACTED_PARTITIONS} partitions. Thread-safe. */
final class KafkaChangeLog<K, V> implements ChangeLog<K, V> {
    private final String topic;
    private final ChangeFormat<K, V> format;
    private final Append append;
    private final TopicReplay replay;

    /** Appends a record; completes when it is durable. */
    @FunctionalInterface
    interface Append {
        CompletionStage<Void> append(ProducerRecord<byte[], byte[]> record);
    }

    KafkaChangeLog(String topic, ChangeFormat<K, V> format, Append append, TopicReplay replay) {
        this.topic = topic;
        this.format = format;
        this.append = append;
        this.replay = replay;
    }

    @Override
    public CompletionStage<Void> append(K key, @Nullable V value) {
        byte[] keyBytes = format.key(key);
        byte[] valueBytes = value == null ? null : format.value(value);
        int partition = KafkaTopics.partition(keyBytes, KafkaTopics.COMPACTED_PARTITIONS);
        return append.append(new ProducerRecord<>(topic, partition, keyBytes, valueBytes));
    }

    @Override
    public void replay(Listener<K, V> changes, Progress progress) {
        replay.run(
                topic,
                KafkaTopics.COMPACTED_PARTITIONS,
                (key, value) -> {
                    K read = format.readKey(key);
                    changes.changed(read, value == null ? null : format.readValue(read, value));
                },
                progress);
    }
}

package io.heddle.persistence.kafka.log;

import io.heddle.core.cluster.ChangeLog;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogProducer;
import io.heddle.persistence.kafka.read.TopicReplay;
import io.heddle.persistence.record.ChangeFormat;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A map stored as a compacted topic. Thread-safe. */
final class KafkaChangeLog<K, V> implements ChangeLog<K, V> {
    private final String topic;
    private final ChangeFormat<K, V> format;
    private final LogProducer producer;
    private final TopicReplay replay;

    KafkaChangeLog(String topic, ChangeFormat<K, V> format, LogProducer producer, TopicReplay replay) {
        this.topic = topic;
        this.format = format;
        this.producer = producer;
        this.replay = replay;
    }

    @Override
    public CompletionStage<Void> append(K key, @Nullable V value) {
        byte[] keyBytes = format.key(key);
        byte[] valueBytes = value == null ? null : format.value(value);
        int partition = KafkaTopics.partition(keyBytes, KafkaTopics.COMPACTED_PARTITIONS);
        return producer.append(new ProducerRecord<>(topic, partition, keyBytes, valueBytes));
    }

    @Override
    public void replay(Listener<K, V> changes, Progress progress) {
        replay.run(topic, format, changes, progress);
    }
}

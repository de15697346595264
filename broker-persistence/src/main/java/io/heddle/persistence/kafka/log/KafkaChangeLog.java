package io.heddle.persistence.kafka.log;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.LogFollower;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.TopicFollowers;
import io.heddle.persistence.record.ChangeFormat;
import io.heddle.persistence.record.RecordReader;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A map stored as a compacted topic with {@link KafkaTopics#COMPACTED_PARTITIONS} partitions. Thread-safe. */
final class KafkaChangeLog<K, V> implements ChangeLog<K, V> {
    private final String topic;
    private final ChangeFormat<K, V> format;
    private final Append append;
    private final TopicFollowers followers;

    /** Appends a record; completes when it is durable. */
    @FunctionalInterface
    interface Append {
        CompletionStage<Void> append(ProducerRecord<byte[], byte[]> record);
    }

    KafkaChangeLog(String topic, ChangeFormat<K, V> format, Append append, TopicFollowers followers) {
        this.topic = topic;
        this.format = format;
        this.append = append;
        this.followers = followers;
    }

    @Override
    public CompletionStage<Void> append(K key, @Nullable V value) {
        byte[] keyBytes = format.key(key);
        byte[] valueBytes = value == null ? null : format.value(value);
        int partition = KafkaTopics.partition(keyBytes, KafkaTopics.COMPACTED_PARTITIONS);
        return append.append(new ProducerRecord<>(topic, partition, keyBytes, valueBytes));
    }

    @Override
    public void follow(LogFollower<Change<K, V>> follower) {
        followers.follow(topic, KafkaTopics.COMPACTED_PARTITIONS, this::read, follower);
    }

    private Change<K, V> read(RecordReader key, @Nullable RecordReader value) {
        K read = format.readKey(key);
        return new Change<>(read, value == null ? null : format.readValue(read, value));
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return followers.ends(topic, KafkaTopics.COMPACTED_PARTITIONS);
    }
}

package io.heddle.persistence.kafka.log;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.LogFollower;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.TopicFollowers;
import io.heddle.persistence.record.ChangeFormat;
import io.heddle.persistence.record.ConditionFormat;
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
    public CompletionStage<Void> append(Change<K, V> change) {
        V value = change.value();
        byte[] keyBytes = format.key(change.key());
        byte[] valueBytes = value == null ? null : format.value(value);
        int partition = KafkaTopics.partition(keyBytes, KafkaTopics.COMPACTED_PARTITIONS);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, keyBytes, valueBytes);
        if (change.condition() != ChangeCondition.Always.ALWAYS) {
            record.headers().add(ConditionFormat.HEADER, ConditionFormat.encode(change.condition()));
        }
        return append.append(record);
    }

    @Override
    public void follow(LogFollower<Change<K, V>> follower) {
        followers.follow(topic, KafkaTopics.COMPACTED_PARTITIONS, this::read, follower);
    }

    private Change<K, V> read(RecordReader key, @Nullable RecordReader value, @Nullable RecordReader condition) {
        K read = format.readKey(key);
        return new Change<>(
                read, value == null ? null : format.readValue(read, value), ConditionFormat.read(condition));
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return followers.ends(topic, KafkaTopics.COMPACTED_PARTITIONS);
    }
}

package io.heddle.persistence.kafka;

import io.heddle.core.cluster.ChangeLog;
import io.heddle.persistence.record.ChangeFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A map as a compacted topic. Thread-safe. */
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
        CompletableFuture<Void> done = new CompletableFuture<>();
        producer.append(
                producer.destination(topic, partition),
                new ProducerRecord<>(topic, partition, keyBytes, valueBytes),
                answer(done));
        return done;
    }

    private static AppendListener answer(CompletableFuture<Void> done) {
        return new AppendListener() {
            @Override
            public void appended(long offset) {
                done.complete(null);
            }

            @Override
            public void failed(Throwable reason) {
                done.completeExceptionally(reason);
            }
        };
    }

    @Override
    public void replay(Listener<K, V> changes, Progress progress) {
        replay.run(topic, format, changes, progress);
    }
}

package io.heddle.core.simulation.kafka;

import io.heddle.core.changelog.ChangeCondition;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A change log in a compacted topic. Its followers read below open transactions. */
final class SimChangeLog<K, V> implements ChangeLog<K, V> {
    private final SimKafkaClient client;
    private final String topic;

    SimChangeLog(SimKafkaClient client, String topic) {
        this.client = client;
        this.topic = topic;
    }

    @Override
    public CompletionStage<Void> append(Change<K, V> change) {
        K key = change.key();
        Object value = change.condition() == ChangeCondition.Always.ALWAYS
                ? change.value()
                : new Conditional(change.value(), change.condition());
        if (topic.equals(SimKafka.PROGRESS) && client.has(Mistake.PROGRESS_NOT_WRITTEN)) {
            return CompletableFuture.completedStage(null);
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        client.producer().send(client.kafka().partition(topic, key), key, value, _ -> {
            client.world().trace(() -> client.process() + " has written to " + topic + ": " + key + " " + value);
            answer.complete(null);
        });
        return answer;
    }

    @Override
    public void follow(LogFollower<Change<K, V>> follower) {
        new SimFollower<>(client, client.kafka().topic(topic), this::change, follower).start();
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return client.ends(topic);
    }

    // Only this log and the message log write to the topic, with keys and values of these types.
    @SuppressWarnings("unchecked")
    private Change<K, V> change(Entry entry) {
        Object key = entry.key();
        if (key == null) {
            throw new IllegalStateException("a change without a key");
        }
        return entry.value() instanceof Conditional(Object value, ChangeCondition condition)
                ? new Change<>((K) key, (V) value, condition)
                : new Change<>((K) key, (V) entry.value());
    }

    /** The value of a change that takes effect under a condition. */
    private record Conditional(@Nullable Object value, ChangeCondition condition) {}
}

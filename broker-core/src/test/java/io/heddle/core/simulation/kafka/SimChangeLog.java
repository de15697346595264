package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A change log in a compacted topic. The replay waits until no transaction is open below the end that it has read. */
final class SimChangeLog<K, V> implements ChangeLog<K, V> {
    private final SimKafkaClient client;
    private final String topic;
    private final @Nullable Mistake notAwaited;

    /** @param notAwaited the mistake that makes {@link #append} complete before the record is durable, or null */
    SimChangeLog(SimKafkaClient client, String topic, @Nullable Mistake notAwaited) {
        this.client = client;
        this.topic = topic;
        this.notAwaited = notAwaited;
    }

    @Override
    public CompletionStage<Void> append(K key, @Nullable V value) {
        if (topic.equals(SimKafka.PROGRESS) && client.has(Mistake.PROGRESS_NOT_WRITTEN)) {
            return CompletableFuture.completedStage(null);
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        client.producer().send(client.kafka().partition(topic, key), key, value, _ -> {
            client.world().trace(() -> client.process() + " has written to " + topic + ": " + key + " " + value);
            answer.complete(null);
        });
        if (notAwaited == Mistake.END_NOT_AWAITED ? value == null && client.has(notAwaited) : isNotAwaited()) {
            return CompletableFuture.completedStage(null);
        }
        return answer;
    }

    private boolean isNotAwaited() {
        return notAwaited != null && client.has(notAwaited);
    }

    @Override
    public void replay(Listener<K, V> changes, Progress progress) {
        long read = 0;
        List<List<Entry>> found = new ArrayList<>();
        for (SimPartition partition : client.kafka().topic(topic)) {
            client.awaitLeader(partition);
            long end = partition.end();
            client.await(() -> partition.lastStableOffset() >= end && !partition.isAway());
            List<Entry> entries = partition.read(0, Integer.MAX_VALUE);
            if (client.has(Mistake.REPLAY_STOPS_EARLY) && topic.equals(SimKafka.SESSIONS) && !entries.isEmpty()) {
                entries = entries.subList(0, entries.size() - 1);
            }
            found.add(entries);
            read += entries.size();
        }
        found.forEach(entries -> entries.forEach(entry -> tell(entry, changes)));
        progress.read(read, read);
    }

    // Only this log and the message log write to the topic, with keys and values of these types.
    @SuppressWarnings("unchecked")
    private void tell(Entry entry, Listener<K, V> changes) {
        Object key = entry.key();
        if (key == null) {
            throw new IllegalStateException("a change without a key");
        }
        changes.changed((K) key, (V) entry.value());
    }
}

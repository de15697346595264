package io.heddle.core.testkit;

import io.heddle.core.cluster.ChangeLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Changes in memory, none of them forgotten: a replay tells them all. Answers at once, or when a test lets them. */
public final class InMemoryChangeLog<K, V> implements ChangeLog<K, V> {
    private final List<Change<K, V>> changes = new ArrayList<>();
    private final List<CompletableFuture<Void>> held = new ArrayList<>();
    private boolean holding;
    private @Nullable Throwable fault;

    /** From now on nothing is answered. */
    public synchronized void hold() {
        holding = true;
    }

    /** From now on nothing is written and every append fails with this, until it is null. */
    public synchronized void failWith(@Nullable Throwable reason) {
        fault = reason;
    }

    /** Answers all that waits, on this thread. */
    public void release() {
        List<CompletableFuture<Void>> due;
        synchronized (this) {
            holding = false;
            due = List.copyOf(held);
            held.clear();
        }
        due.forEach(answer -> answer.complete(null));
    }

    /** How many changes were appended. */
    public synchronized int size() {
        return changes.size();
    }

    @Override
    public synchronized CompletionStage<Void> append(K key, @Nullable V value) {
        if (fault != null) {
            return CompletableFuture.failedFuture(fault);
        }
        changes.add(new Change<>(key, value));
        if (!holding) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        held.add(answer);
        return answer;
    }

    @Override
    public void replay(Listener<K, V> listener, Progress progress) {
        List<Change<K, V>> all;
        synchronized (this) {
            all = List.copyOf(changes);
        }
        all.forEach(change -> listener.changed(change.key(), change.value()));
        progress.read(all.size(), all.size());
    }

    private record Change<K, V>(K key, @Nullable V value) {}
}

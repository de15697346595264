package io.heddle.core.testkit;

import io.heddle.core.cluster.ChangeLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A change log in memory that keeps every change. Appends complete immediately, or when a test releases them. */
public final class InMemoryChangeLog<K, V> implements ChangeLog<K, V> {
    private final List<Change<K, V>> changes = new ArrayList<>();
    private final List<CompletableFuture<Void>> held = new ArrayList<>();
    private boolean holding;
    private @Nullable Throwable fault;

    /** Delays the completion of appends. */
    public synchronized void hold() {
        holding = true;
    }

    /** Makes every append fail with this exception; null ends that. */
    public synchronized void failWith(@Nullable Throwable reason) {
        fault = reason;
    }

    /** Completes all delayed appends, on this thread. */
    public void release() {
        List<CompletableFuture<Void>> due;
        synchronized (this) {
            holding = false;
            due = List.copyOf(held);
            held.clear();
        }
        due.forEach(answer -> answer.complete(null));
    }

    /** Returns the number of appended changes. */
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

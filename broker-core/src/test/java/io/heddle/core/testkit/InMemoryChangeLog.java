package io.heddle.core.testkit;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.LogFollower;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A change log in memory that keeps every change. Appends complete immediately, or when a test releases them. */
public final class InMemoryChangeLog<K, V> implements ChangeLog<K, V> {
    private final InMemoryLog<Change<K, V>> log = new InMemoryLog<>();
    private final List<CompletableFuture<Void>> held = new ArrayList<>();
    private @Nullable List<CompletableFuture<List<Long>>> heldEnds;
    private boolean holding;
    private @Nullable Throwable fault;

    /** Delays the completion of appends. */
    public synchronized void hold() {
        holding = true;
    }

    /** Makes every append and every question for the ends fail with this exception; null ends that. */
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
        return log.records().size();
    }

    @Override
    public synchronized CompletionStage<Void> append(Change<K, V> change) {
        if (fault != null) {
            return CompletableFuture.failedFuture(fault);
        }
        log.append(0, change);
        if (!holding) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> answer = new CompletableFuture<>();
        held.add(answer);
        return answer;
    }

    /** Appends a change that is never held and never fails. Returns its offset. */
    synchronized long add(K key, @Nullable V value) {
        return log.append(0, new Change<>(key, value));
    }

    @Override
    public void follow(LogFollower<Change<K, V>> follower) {
        log.follow(follower);
    }

    /** Delays the answers to {@link #ends}. */
    public synchronized void holdEnds() {
        heldEnds = new ArrayList<>();
    }

    /** Answers the delayed questions with the ends of now, on this thread. */
    public void releaseEnds() {
        List<CompletableFuture<List<Long>>> due;
        synchronized (this) {
            due = heldEnds == null ? List.of() : heldEnds;
            heldEnds = null;
        }
        due.forEach(answer -> answer.complete(log.ends()));
    }

    @Override
    public synchronized CompletionStage<List<Long>> ends() {
        if (fault != null) {
            return CompletableFuture.failedFuture(fault);
        }
        if (heldEnds == null) {
            return CompletableFuture.completedFuture(log.ends());
        }
        CompletableFuture<List<Long>> answer = new CompletableFuture<>();
        heldEnds.add(answer);
        return answer;
    }

    /** Returns all changes in their order. */
    public List<Change<K, V>> changes() {
        return log.records();
    }
}

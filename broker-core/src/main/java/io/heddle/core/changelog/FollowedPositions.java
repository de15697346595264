package io.heddle.core.changelog;

import io.heddle.core.Stages;
import io.heddle.core.StoreUnavailableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The offsets up to which this node has applied the partitions of a log that it follows. Thread-safe. */
public final class FollowedPositions {
    // Guarded by this.
    private final List<Long> reached = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private @Nullable Throwable failure;
    private final CompletableFuture<Void> inStep = new CompletableFuture<>();
    private volatile Listener listener = (_, _) -> {};

    /** Is told how far a partition is applied. */
    @FunctionalInterface
    public interface Listener {
        /** All records of a partition below this offset are applied. On the thread that has applied them; must not block. */
        void onReached(int partition, long next);
    }

    private record Wait(List<Long> ends, CompletableFuture<Void> answer) {}

    /**
     * The log is about to be applied.
     *
     * @param ends the offset behind the last readable record of each partition at this moment
     */
    public void onStart(List<Long> ends) {
        Stages.forward(whenReached(ends), inStep);
    }

    /** Completes when all records that the log had at the start are applied; fails if they never will be. */
    public CompletionStage<Void> whenInStep() {
        return inStep.minimalCompletionStage();
    }

    /** Sets the listener. Before the log is followed. */
    public void listener(Listener follower) {
        listener = follower;
    }

    /** All records of a partition below this offset are applied. */
    public void onReached(int partition, long next) {
        complete(advance(partition, next));
        listener.onReached(partition, next);
    }

    private synchronized List<Wait> advance(int partition, long next) {
        while (reached.size() <= partition) {
            reached.add(0L);
        }
        reached.set(partition, Math.max(reached.get(partition), next));
        List<Wait> due = new ArrayList<>(0);
        for (Iterator<Wait> all = waits.iterator(); all.hasNext(); ) {
            Wait wait = all.next();
            if (isReached(wait.ends())) {
                all.remove();
                due.add(wait);
            }
        }
        return due;
    }

    private static void complete(List<Wait> due) {
        due.forEach(wait -> wait.answer().complete(null));
    }

    private boolean isReached(List<Long> ends) {
        for (int partition = 0; partition < ends.size(); partition++) {
            if ((partition < reached.size() ? reached.get(partition) : 0) < ends.get(partition)) {
                return false;
            }
        }
        return true;
    }

    /** Completes when all records below these offsets are applied; fails if they never will be. */
    public CompletionStage<Void> whenReached(List<Long> ends) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Throwable fault;
        synchronized (this) {
            fault = failure;
            if (fault == null && !isReached(ends)) {
                waits.add(new Wait(List.copyOf(ends), answer));
                return answer;
            }
        }
        if (fault == null) {
            answer.complete(null);
        } else {
            answer.completeExceptionally(fault);
        }
        return answer;
    }

    /**
     * Nothing more will be applied.
     *
     * @param reason one clause for the operator
     */
    public void onLost(String reason) {
        StoreUnavailableException fault = new StoreUnavailableException(reason, null);
        List<Wait> due;
        synchronized (this) {
            failure = fault;
            due = List.copyOf(waits);
            waits.clear();
        }
        due.forEach(wait -> wait.answer().completeExceptionally(fault));
    }

    /** Returns the offset below which all records of a partition are applied. */
    public synchronized long next(int partition) {
        return partition < reached.size() ? reached.get(partition) : 0;
    }

    /** Returns the number of offsets up to the furthest ends for which somebody waits. */
    public synchronized long missing() {
        long most = 0;
        for (Wait wait : waits) {
            long missing = 0;
            for (int partition = 0; partition < wait.ends().size(); partition++) {
                missing += Math.max(0, wait.ends().get(partition) - next(partition));
            }
            most = Math.max(most, missing);
        }
        return most;
    }

    /** Returns the sum of the offsets, which grows with each applied record. */
    public synchronized long sum() {
        long sum = 0;
        for (long next : reached) {
            sum += next;
        }
        return sum;
    }
}

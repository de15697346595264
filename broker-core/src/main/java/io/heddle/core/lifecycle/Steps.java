package io.heddle.core.lifecycle;

import io.heddle.core.FailureLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps that are taken one after the other without blocking. A step that fails is repeated after a pause. Owned by one thread. */
final class Steps {
    private static final Logger log = LoggerFactory.getLogger(Steps.class);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final String purpose;
    private final Queue<Step> left;
    private final LongSupplier nanoTime;
    // Of the first step that is left.
    private @Nullable CompletableFuture<?> answer;
    private boolean hasFailed;
    private long failedNanos;

    /** One step. */
    @FunctionalInterface
    interface Step {
        /** Takes the step, or returns null if it must wait; then it is tried again with the next {@link #advance}. */
        @Nullable
        CompletionStage<?> take();
    }

    /** @param purpose for logs: what fails if a step fails */
    Steps(String purpose, LongSupplier nanoTime, List<Step> steps) {
        this.purpose = purpose;
        this.nanoTime = nanoTime;
        this.left = new ArrayDeque<>(steps);
    }

    /** A step that is complete at once. */
    static Step of(Runnable task) {
        return () -> {
            task.run();
            return CompletableFuture.completedFuture(null);
        };
    }

    /** A step that waits until a condition holds. */
    static Step until(Supplier<Boolean> condition) {
        return () -> condition.get() ? CompletableFuture.completedFuture(null) : null;
    }

    /**
     * Takes the steps that can be taken now.
     *
     * @param onAnswer runs when a step that was begun is answered, on any thread
     * @return whether all steps are complete
     */
    boolean advance(Runnable onAnswer) {
        for (Step next = left.peek(); next != null; next = left.peek()) {
            if (answer == null && !begin(next, onAnswer)) {
                return false;
            }
            CompletableFuture<?> begun = answer;
            if (begun == null || !begun.isDone()) {
                return false;
            }
            answer = null;
            if (begun.isCompletedExceptionally()) {
                onFailed(begun.exceptionNow());
            } else {
                hasFailed = false;
                var _ = left.remove();
            }
        }
        return true;
    }

    private boolean begin(Step step, Runnable onAnswer) {
        if (hasFailed && nanoTime.getAsLong() - failedNanos < PAUSE.toNanos()) {
            return false;
        }
        CompletableFuture<?> begun;
        try {
            CompletionStage<?> taken = step.take();
            if (taken == null) {
                return false;
            }
            begun = taken.toCompletableFuture();
        } catch (RuntimeException e) {
            begun = CompletableFuture.failedFuture(e);
        }
        answer = begun;
        if (!begun.isDone()) {
            var _ = begun.whenComplete((_, _) -> onAnswer.run());
        }
        return true;
    }

    private void onFailed(Throwable failure) {
        if (!hasFailed) {
            FailureLog.warn(log, purpose + "; retrying", failure);
        }
        hasFailed = true;
        failedNanos = nanoTime.getAsLong();
    }
}

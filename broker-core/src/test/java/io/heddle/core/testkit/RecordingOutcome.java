package io.heddle.core.testkit;

import io.heddle.core.delivery.log.MessageLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A callback that records the result of an append and rejects a second call. Thread-safe. */
public final class RecordingOutcome implements MessageLog.AppendCallback {
    private final CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();
    private volatile long retainedOffset = -1;

    @Override
    public void onRetained(long offset) {
        if (isDone()) {
            throw new IllegalStateException("the offset is reported before the outcome");
        }
        retainedOffset = offset;
    }

    /** Returns the offset of the retained message, or -1. */
    public long retainedOffset() {
        return retainedOffset;
    }

    @Override
    public void onAppended() {
        complete(null);
    }

    @Override
    public void onFailed(Throwable reason) {
        complete(reason);
    }

    private void complete(@Nullable Throwable reason) {
        if (!outcome.complete(reason)) {
            throw new IllegalStateException("the callback was called twice");
        }
    }

    /** Returns whether the callback was called. */
    public boolean isDone() {
        return outcome.isDone();
    }

    /** Waits at most 30 seconds for the result: null when the append is durable, else the reason of its failure. */
    public @Nullable Throwable await() throws InterruptedException {
        try {
            return outcome.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the callback was not called within 30 seconds", e);
        }
    }
}

package io.heddle.core.testkit;

import io.heddle.core.delivery.log.MessageLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What came of an append; told twice, it throws. Thread-safe. */
public final class RecordingOutcome implements MessageLog.AppendCallback {
    private final CompletableFuture<@Nullable Throwable> outcome = new CompletableFuture<>();

    @Override
    public void onAppended() {
        tell(null);
    }

    @Override
    public void onFailed(Throwable reason) {
        tell(reason);
    }

    private void tell(@Nullable Throwable reason) {
        if (!outcome.complete(reason)) {
            throw new IllegalStateException("an outcome was told twice");
        }
    }

    /** Whether it was told. */
    public boolean isTold() {
        return outcome.isDone();
    }

    /** Waits, at most 30 seconds. Null when it was appended, else the reason why not. */
    public @Nullable Throwable await() throws InterruptedException {
        try {
            return outcome.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no outcome in 30 seconds", e);
        }
    }
}

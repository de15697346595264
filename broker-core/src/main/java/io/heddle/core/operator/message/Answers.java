package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits on the thread of a request for the answers of other threads. */
final class Answers {
    /** The longest wait for one answer. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private Answers() {}

    /**
     * Waits for an answer, for at most {@link #LIMIT}.
     *
     * @param what the answer, for the log
     * @throws StoreUnavailableException if the answer fails or does not come in time
     */
    static <T> T await(CompletionStage<T> answer, String what) {
        return await(answer, LIMIT, what);
    }

    /** Waits like {@link #await(CompletionStage, String)}, with another limit. */
    static <T> T await(CompletionStage<T> answer, Duration limit, String what) {
        try {
            return answer.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : new StoreUnavailableException("no answer: " + what, e.getCause());
        } catch (TimeoutException e) {
            throw new StoreUnavailableException("no answer in time: " + what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait was interrupted: " + what, e);
        }
    }
}

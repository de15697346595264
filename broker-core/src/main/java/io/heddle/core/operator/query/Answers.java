package io.heddle.core.operator.query;

import io.heddle.core.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waits on the thread of a request for the answers of other threads. */
public final class Answers {
    /** The longest wait for one answer. */
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private Answers() {}

    /** Makes the exception for an answer that does not come, from a sentence for the log and the cause. */
    @FunctionalInterface
    public interface Absence {
        StoreUnavailableException of(String detail, Throwable cause);
    }

    /**
     * Waits for an answer, for at most {@link #LIMIT}.
     *
     * @param what the answer, for the log
     * @param absence names the store that has to answer
     * @throws StoreUnavailableException if the answer fails or does not come in time
     */
    public static <T extends @Nullable Object> T await(CompletionStage<T> answer, String what, Absence absence) {
        return await(answer, LIMIT, what, absence);
    }

    /** Waits like {@link #await(CompletionStage, String, Absence)}, with another limit. */
    public static <T extends @Nullable Object> T await(
            CompletionStage<T> answer, Duration limit, String what, Absence absence) {
        try {
            return answer.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : absence.of("no answer: " + what, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw absence.of("no answer in time: " + what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the wait was interrupted: " + what, e);
        }
    }
}

package io.heddle.app.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.ThrowingRunnable;

/** Waits for an effect of the broker. A wait that fails prints the {@link FailureReport}. */
public final class Soon {
    /** Long enough for a busy machine. */
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private Soon() {}

    /** Returns when the condition holds. */
    static void until(Callable<Boolean> condition) {
        until(AT_MOST, condition);
    }

    /** Returns when the assertion holds; its last failure is the cause of this wait's failure. */
    static void untilAsserted(ThrowingRunnable assertion) {
        untilAsserted(AT_MOST, assertion);
    }

    public static void until(Duration atMost, Callable<Boolean> condition) {
        until(atMost, POLL_INTERVAL, condition);
    }

    /** Checks the condition at an interval. */
    public static void until(Duration atMost, Duration interval, Callable<Boolean> condition) {
        reportingFailure(() -> waiting(atMost).pollInterval(interval).until(condition));
    }

    static void untilAsserted(Duration atMost, ThrowingRunnable assertion) {
        reportingFailure(() -> waiting(atMost).untilAsserted(assertion));
    }

    private static ConditionFactory waiting(Duration atMost) {
        return await().atMost(atMost).pollDelay(Duration.ZERO).pollInterval(POLL_INTERVAL);
    }

    private static void reportingFailure(Runnable wait) {
        try {
            wait.run();
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + FailureReport.text(), e);
        }
    }
}

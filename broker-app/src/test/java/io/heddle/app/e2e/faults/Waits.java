package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.Soon;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits of the test thread, whose failure says what is missing. */
final class Waits {
    private static final Duration AT_MOST = Duration.ofSeconds(90);

    private static final Duration OFTEN = Duration.ofMillis(20);

    private Waits() {}

    /** @param state called only if the wait fails */
    static void until(String what, Callable<Boolean> condition, Callable<String> state) throws Exception {
        until(what, OFTEN, condition, state);
    }

    /**
     * Checks the condition at an interval.
     *
     * @param state called only if the wait fails
     */
    static void until(String what, Duration interval, Callable<Boolean> condition, Callable<String> state)
            throws Exception {
        try {
            Soon.until(AT_MOST, interval, condition);
        } catch (AssertionError e) {
            throw new AssertionError(
                    "not within " + AT_MOST + ": " + what + "\n" + state.call() + "\n" + e.getMessage(), e);
        }
    }
}

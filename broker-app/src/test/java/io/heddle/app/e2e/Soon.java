package io.heddle.app.e2e;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.core.ThrowingRunnable;

/** Waits for what must come soon: looks often, and gives up late enough for a busy machine. */
final class Soon {
    private static final Duration LATEST = Duration.ofSeconds(60);
    private static final Duration EVERY = Duration.ofMillis(5);

    private Soon() {}

    /** Returns when the condition holds. */
    static void until(Callable<Boolean> condition) {
        await().atMost(LATEST).pollDelay(Duration.ZERO).pollInterval(EVERY).until(condition);
    }

    /** Returns when the assertion holds; otherwise it says what was wrong last. */
    static void untilAsserted(ThrowingRunnable assertion) {
        await().atMost(LATEST).pollDelay(Duration.ZERO).pollInterval(EVERY).untilAsserted(assertion);
    }
}

package io.heddle.persistence;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Shortens the interval at which Awaitility checks a condition, 100 ms by default, because most conditions hold within milliseconds, and
 * prolongs the time for which it waits, 10 s by default, because the servers are shared.
 */
public final class ShortPolls implements BeforeAllCallback {
    private static final Duration INTERVAL = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}

package io.heddle.persistence;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Shortens the interval at which Awaitility checks a condition, 100 ms by default, because most conditions hold within milliseconds. */
public final class ShortPolls implements BeforeAllCallback {
    private static final Duration INTERVAL = Duration.ofMillis(10);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(INTERVAL);
    }
}

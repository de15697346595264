package io.heddle.core.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells takeovers of clients that fight over one client id from those of clients that come back after a lost connection. Thread-safe. Bound:
 * {@value #MAXIMUM} clients, of which the one that was taken over least recently is forgotten.
 */
final class Takeovers {
    static final int MAXIMUM = 10_000;
    static final Duration WINDOW = Duration.ofMinutes(1);

    private final LongSupplier nanoTime;
    // The client that was taken over last is the last one, with the time. Guarded by this.
    private final LinkedHashMap<String, Long> latest = new LinkedHashMap<>();

    Takeovers(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Adds a takeover. Returns whether the client was taken over within {@link #WINDOW} before. */
    synchronized boolean isRepeated(String clientId) {
        long now = nanoTime.getAsLong();
        @Nullable Long before = latest.putLast(clientId, now);
        if (latest.size() > MAXIMUM) {
            latest.pollFirstEntry();
        }
        return before != null && now - before < WINDOW.toNanos();
    }
}

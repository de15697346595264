package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test advances. Starts just before the counter wraps, as System.nanoTime may. */
final class ManualTicker implements Ticker {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);

    @Override
    public long read() {
        return nanos.get();
    }

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}

package io.heddle.api.security;

import io.heddle.core.LogRateLimit;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.LogValue;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Logs the beginnings of lockouts. Thread-safe. Bound: one line a minute for each network, and ten for all. */
final class LockoutLog {
    private static final int MAXIMUM_LINES = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Logger log;
    private final LogRateLimit limit;

    /** @param nanoTime the monotonic clock, in nanoseconds */
    LockoutLog(Logger log, LongSupplier nanoTime) {
        this.log = log;
        this.limit = new LogRateLimit(MAXIMUM_LINES, WINDOW, nanoTime);
    }

    /**
     * The latest failure begins a lockout: of its name at its address, of the address, or of the name.
     *
     * @param userName as sent
     * @param address as the server reports it
     */
    void begin(SignInSource source, String userName, String address, Duration lockout) {
        long suppressed = limit.acquire(source.network());
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.warn(
                    "Sign-ins of an administrator have failed repeatedly, so further ones are refused for a while (somebody has"
                            + " a wrong password or is guessing passwords): userName={}, address={}, lockoutSeconds={}{}",
                    LogValue.of(userName),
                    LogValue.of(address),
                    lockout.toSeconds(),
                    suppressed == 0 ? "" : ", suppressed=" + suppressed);
        }
    }
}

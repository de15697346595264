package io.heddle.persistence.http;

import io.heddle.persistence.SettingRule;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops requests to a server that fails. States: closed, until a number of requests in a row have failed; open, for a pause; then a single
 * request, the probe, decides: its success closes the breaker, its failure begins another pause. Thread-safe.
 */
final class CircuitBreaker {
    private static final Logger log = LoggerFactory.getLogger(CircuitBreaker.class);

    private final String server;
    private final int maximumFailures;
    private final Duration pause;
    private final LongSupplier nanoTime;
    private int failures;
    private volatile boolean isOpen;
    private boolean isProbing;
    private long pausedNanos;

    /** The permission for a request. Its outcome is reported once. */
    enum Pass {
        DENIED,
        REQUEST,
        PROBE
    }

    /**
     * Creates a breaker that is closed.
     *
     * @param server the host, for the log
     * @param maximumFailures the number of failures in a row that opens the breaker
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    CircuitBreaker(String server, int maximumFailures, Duration pause, LongSupplier nanoTime) {
        this.server = server;
        this.maximumFailures = maximumFailures;
        this.pause = pause;
        this.nanoTime = nanoTime;
    }

    boolean isOpen() {
        return isOpen;
    }

    /** Returns whether a request would be denied now. */
    synchronized boolean denies() {
        return isOpen && (isProbing || nanoTime.getAsLong() - pausedNanos < pause.toNanos());
    }

    synchronized Pass enter() {
        if (denies()) {
            return Pass.DENIED;
        }
        isProbing = isOpen;
        return isOpen ? Pass.PROBE : Pass.REQUEST;
    }

    /** Reports an answer. That of a request from before the breaker opened closes it, too. */
    synchronized void recordSuccess() {
        failures = 0;
        isProbing = false;
        if (isOpen) {
            isOpen = false;
            log.info("The authentication service answers again: host={}", server);
        }
    }

    /** Reports a failure. That of a request from before the breaker opened does not count. */
    synchronized void recordFailure(Pass pass) {
        if (isOpen && pass == Pass.PROBE) {
            isProbing = false;
            pausedNanos = nanoTime.getAsLong();
        } else if (!isOpen && ++failures >= maximumFailures) {
            isOpen = true;
            pausedNanos = nanoTime.getAsLong();
            log.warn(
                    "The authentication service fails; clients are refused without a request until it answers a probe"
                            + " (check the service): failures={}, pause={}, host={}",
                    failures,
                    SettingRule.seconds(pause),
                    server);
        }
    }
}

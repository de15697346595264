package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationServiceException;

/** What sign-ins of administrators and API keys have in common: limits, counters and the log of lockouts. Thread-safe. */
public final class SignInGuard {
    private final SignInLimits limits;
    private final SignInMetrics metrics;
    private final LockoutLog lockouts;
    private final Duration lockout;

    public SignInGuard(SignInSettings settings, MeterRegistry registry, Ticker clock) {
        this.limits = new SignInLimits(settings, clock);
        this.metrics = new SignInMetrics(registry);
        this.lockouts = new LockoutLog(LoggerFactory.getLogger(SignInGuard.class), clock::read);
        this.lockout = settings.lockout();
    }

    SignInMetrics metrics() {
        return metrics;
    }

    /** Returns whether an address has recent failures, of whatever name. */
    boolean isFailing(String network) {
        return limits.isFailing(network);
    }

    /** Returns whether sign-ins of this source are refused now. */
    boolean isLocked(SignInSource source) {
        return limits.remainingLockout(source) != null;
    }

    /** Throws SignInLimitedException if sign-ins of this source are refused now. */
    void refuseIfLocked(SignInSource source) {
        @Nullable Duration remaining = limits.remainingLockout(source);
        if (remaining != null) {
            metrics.limited.increment();
            throw new SignInLimitedException(remaining);
        }
    }

    /**
     * Counts a failure for the limits.
     *
     * @param name as sent
     * @param address as the server reports it
     */
    void onFailure(SignInSource source, String name, String address) {
        if (limits.onFailure(source)) {
            lockouts.begin(source, name, address, lockout);
        }
    }

    /** Returns the lockouts of this node that have not ended. */
    List<SignInLimits.Lockout> lockouts() {
        return limits.lockouts();
    }

    /** Forgets the failures that have led to a lockout. */
    void lift(SignInLimits.Lockout lockout) {
        limits.lift(lockout);
    }

    void onSuccess(SignInSource source) {
        limits.onSuccess(source);
    }

    /** Returns the end of a request whose sign-in the store has not answered. */
    AuthenticationServiceException unavailable(StoreUnavailableException failure) {
        metrics.unavailable.increment();
        return new AuthenticationServiceException("the store of administrators and API keys does not respond", failure);
    }
}

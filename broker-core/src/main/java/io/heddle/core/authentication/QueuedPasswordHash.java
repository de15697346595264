package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.authentication.fairness.SignInTurns;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A password hash whose computations wait for their {@link SignInTurns}. Thread-safe; blocks like the delegate. The number of waiting clients
 * is bounded by the pending authentications.
 *
 * <p>Metric: {@code heddle.password.waiting}.
 */
public final class QueuedPasswordHash implements PasswordHash {
    private final PasswordHash delegate;
    private final SignInTurns turns;

    /**
     * @param concurrency the maximum number of concurrent computations, at least 1
     * @param maximumWait the maximum waiting time of a client
     * @param failures the networks that have lower priority
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public QueuedPasswordHash(
            PasswordHash delegate,
            int concurrency,
            Duration maximumWait,
            SignInFailures failures,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.delegate = delegate;
        this.turns = new SignInTurns(
                concurrency,
                maximumWait,
                new Limit("heddle.authentication.maximum-password-wait in seconds", maximumWait.toSeconds()),
                failures::isFailing,
                true,
                nanoTime);
        Gauge.builder("heddle.password.waiting", turns, SignInTurns::waiting)
                .description("Clients waiting for their password to be verified")
                .register(registry);
    }

    /** Computes the hash without queueing, because clients cannot trigger it. */
    @Override
    public String hash(BinaryData password) {
        return delegate.hash(password);
    }

    @Override
    public String hash(BinaryData password, String form) {
        return delegate.hash(password, form);
    }

    /** @throws SignInBusyException if the caller may not wait, waits too long, or its client disconnects */
    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        if (!source.mayWait()) {
            throw new SignInBusyException("too many clients are waiting for authentication");
        }
        try (SignInTurns.Turn _ = turns.begin(source)) {
            if (source.isGone()) {
                throw new SignInBusyException("the client disconnected");
            }
            return delegate.matches(password, hash, source);
        }
    }

    /** Computes the hash only if a turn is free. */
    @Override
    public @Nullable String renew(BinaryData password, String hash) {
        try (SignInTurns.Turn turn = turns.tryBegin()) {
            return turn == null ? null : delegate.renew(password, hash);
        }
    }

    int waiting() {
        return turns.waiting();
    }
}

package io.heddle.core.authentication;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the authenticators, in order, who a connecting client is. Thread-safe. Fails closed: no answer is a no.
 *
 * <p>Bounds: the pending clients ({@link PendingSignIns}); of the next ones of the same network or name, only passwords that need no
 * computation are checked, of at most as many clients again, and the others are refused as "server busy". A
 * refusal of a network or a name that failed before is delayed ({@link SignInFailures}), which holds neither a thread nor a pending
 * place; above the same number of delayed refusals the next ones are sent at once.
 */
public final class Authentication {
    private static final Logger log = LoggerFactory.getLogger(Authentication.class);

    private final List<Authenticator> authenticators;
    private final Executor blockingTasks;
    private final PendingSignIns pending;
    private final Semaphore withoutPlace;
    private final Semaphore delays;
    private final SignInFailures failures;
    private final MeterRegistry metrics;

    /**
     * The authentication of one broker.
     *
     * @param blockingTasks runs what may block; a virtual thread for each task
     * @param maximumPending how many clients may wait for an answer at once
     */
    public Authentication(
            List<Authenticator> authenticators,
            Executor blockingTasks,
            int maximumPending,
            SignInFailures failures,
            MeterRegistry metrics) {
        this.authenticators = List.copyOf(authenticators);
        this.blockingTasks = blockingTasks;
        this.pending = new PendingSignIns(maximumPending);
        this.withoutPlace = new Semaphore(maximumPending);
        this.delays = new Semaphore(maximumPending);
        this.failures = failures;
        this.metrics = metrics;
        metrics.gauge("heddle.authentication.pending", pending, PendingSignIns::count);
        metrics.gauge("heddle.authentication.delayed", delays, free -> maximumPending - free.availablePermits());
    }

    /** Decides about a client and hands the outcome to {@code decided} on {@code caller}, always exactly once. */
    public void authenticate(ConnectCredentials shown, EventLoop caller, Consumer<AuthenticationOutcome> decided) {
        SignInSource source = SignInSource.of(shown);
        boolean hasPlace = pending.enter(source);
        if (!hasPlace && !withoutPlace.tryAcquire()) {
            conclude(
                    new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for authentication"),
                    source,
                    caller,
                    decided);
            return;
        }
        blockingTasks.execute(() -> {
            AuthenticationOutcome outcome;
            try {
                outcome = decide(hasPlace ? shown : shown.withoutPlace());
            } finally {
                if (hasPlace) {
                    pending.leave(source);
                } else {
                    withoutPlace.release();
                }
            }
            conclude(outcome, source, caller, decided);
        });
    }

    private void conclude(
            AuthenticationOutcome outcome,
            SignInSource source,
            EventLoop caller,
            Consumer<AuthenticationOutcome> decided) {
        switch (outcome) {
            case Accepted _ -> {
                count("accepted");
                failures.succeeded(source);
                caller.execute(() -> decided.accept(outcome));
            }
            case Refused refused -> {
                count(
                        refused.reason() == ReasonCode.SERVER_BUSY && source.isGone()
                                ? "gone"
                                : refused.reason().tag());
                if (refused.reason() == ReasonCode.BAD_USER_NAME_OR_PASSWORD) {
                    failures.failed(source);
                }
                refuse(refused, failures.delay(source), caller, decided);
            }
        }
    }

    private void refuse(Refused refused, Duration delay, EventLoop caller, Consumer<AuthenticationOutcome> decided) {
        if (delay.isZero() || !delays.tryAcquire()) {
            caller.execute(() -> decided.accept(refused));
            return;
        }
        var _ = caller.schedule(delay, () -> {
            delays.release();
            decided.accept(refused);
        });
    }

    private void count(String outcome) {
        metrics.counter("heddle.authentication", "outcome", outcome).increment();
    }

    private AuthenticationOutcome decide(ConnectCredentials shown) {
        if (shown.gone().getAsBoolean()) {
            return new Refused(ReasonCode.SERVER_BUSY, "the client has gone");
        }
        try {
            for (Authenticator authenticator : authenticators) {
                AuthenticationOutcome outcome = authenticator.authenticate(shown);
                if (outcome != null) {
                    return outcome;
                }
            }
        } catch (SignInBusyException e) {
            return new Refused(ReasonCode.SERVER_BUSY, String.valueOf(e.getMessage()));
        } catch (StoreUnavailableException e) {
            log.debug("clientId={} cannot be authenticated now", shown.clientId(), e);
            return new Refused(ReasonCode.SERVER_UNAVAILABLE, "the credentials store does not answer");
        } catch (RuntimeException e) {
            log.error("An authenticator failed; the client is refused", e);
            return new Refused(ReasonCode.UNSPECIFIED_ERROR, "an authenticator failed");
        }
        return shown.isAnonymous()
                ? new Refused(ReasonCode.NOT_AUTHORIZED, "anonymous access is off")
                : new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "no credentials apply");
    }
}

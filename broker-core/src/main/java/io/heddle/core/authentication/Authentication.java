package io.heddle.core.authentication;

import io.heddle.core.FailureLog;
import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.LogValue;
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
 * Runs the authenticators, in order, for a connecting client. Thread-safe. Fails closed: without an answer the client is refused.
 *
 * <p>Bounds: {@link PendingSignIns} limits pending clients. Beyond that limit, as many further clients are checked, but only if
 * their passwords need no hash computation; the rest are refused with "server busy". Refusals of a network or name with recent
 * failures are delayed ({@link SignInFailures}). A delayed refusal uses neither a thread nor a pending place; above the same
 * number of delayed refusals, further ones are sent at once.
 */
public final class Authentication {
    private static final Logger log = LoggerFactory.getLogger(Authentication.class);

    private final List<Authenticator> authenticators;
    private final Executor blockingTasks;
    private final Limit maximumPending;
    private final PendingSignIns pending;
    private final Semaphore unqueued;
    private final Semaphore delays;
    private final SignInFailures failures;
    private final ClientIncidents incidents;
    private final MeterRegistry metrics;

    /**
     * Creates the authentication of one broker.
     *
     * @param blockingTasks runs tasks that may block, each on a virtual thread
     * @param maximumPending the maximum number of clients that wait for an answer
     */
    public Authentication(
            List<Authenticator> authenticators,
            Executor blockingTasks,
            int maximumPending,
            SignInFailures failures,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.authenticators = List.copyOf(authenticators);
        this.blockingTasks = blockingTasks;
        this.maximumPending = new Limit("heddle.authentication.maximum-pending", maximumPending);
        this.pending = new PendingSignIns(maximumPending);
        this.unqueued = new Semaphore(maximumPending);
        this.delays = new Semaphore(maximumPending);
        this.failures = failures;
        this.incidents = incidents;
        this.metrics = metrics;
        metrics.gauge("heddle.authentication.pending", pending, PendingSignIns::count);
        metrics.gauge("heddle.authentication.delayed", delays, free -> maximumPending - free.availablePermits());
    }

    /** Authenticates a client and passes the outcome to {@code decided} on {@code caller}, exactly once. */
    public void authenticate(
            ConnectCredentials credentials, EventLoop caller, Consumer<AuthenticationOutcome> decided) {
        SignInSource source = SignInSource.of(credentials);
        boolean isPending = pending.enter(source);
        if (!isPending && !unqueued.tryAcquire()) {
            conclude(
                    new Refused(
                            ReasonCode.SERVER_BUSY, "too many clients are waiting for authentication", maximumPending),
                    credentials,
                    source,
                    caller,
                    decided);
            return;
        }
        blockingTasks.execute(() -> {
            AuthenticationOutcome outcome;
            try {
                outcome = decide(isPending ? credentials : credentials.withoutWaiting());
            } finally {
                if (isPending) {
                    pending.leave(source);
                } else {
                    unqueued.release();
                }
            }
            conclude(outcome, credentials, source, caller, decided);
        });
    }

    private void conclude(
            AuthenticationOutcome outcome,
            ConnectCredentials credentials,
            SignInSource source,
            EventLoop caller,
            Consumer<AuthenticationOutcome> decided) {
        switch (outcome) {
            case Accepted _ -> {
                count("accepted");
                failures.recordSuccess(source);
                caller.execute(() -> decided.accept(outcome));
            }
            case Refused refused -> {
                count(
                        refused.reason() == ReasonCode.SERVER_BUSY && source.isGone()
                                ? "gone"
                                : refused.reason().tag());
                if (refused.reason() == ReasonCode.BAD_USER_NAME_OR_PASSWORD) {
                    recordFailure(credentials, source);
                }
                refuse(refused, failures.delay(source), caller, decided);
            }
        }
    }

    private void recordFailure(ConnectCredentials credentials, SignInSource source) {
        failures.recordFailure(source);
        if (failures.isFailing(source)) {
            incidents.signInsFail(
                    source.network(),
                    credentials.clientId().value(),
                    credentials.userName(),
                    credentials.remoteAddress());
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

    private AuthenticationOutcome decide(ConnectCredentials credentials) {
        if (credentials.gone().getAsBoolean()) {
            return new Refused(ReasonCode.SERVER_BUSY, "the client disconnected");
        }
        try {
            for (Authenticator authenticator : authenticators) {
                AuthenticationOutcome outcome = authenticator.authenticate(credentials);
                if (outcome != null) {
                    return outcome;
                }
            }
        } catch (SignInBusyException e) {
            Limit limit = credentials.mayWait() ? e.limit() : maximumPending;
            return new Refused(ReasonCode.SERVER_BUSY, String.valueOf(e.getMessage()), limit);
        } catch (StoreUnavailableException e) {
            FailureLog.warn(log, "Authentication is not possible now; clients are refused", e);
            return new Refused(ReasonCode.SERVER_UNAVAILABLE, "a server that the authentication needs is unavailable");
        } catch (RuntimeException e) {
            FailureLog.warn(
                    log,
                    "A bug of the authentication refused a client; please report it with this stack: clientId="
                            + LogValue.of(credentials.clientId().value()),
                    e);
            return new Refused(ReasonCode.UNSPECIFIED_ERROR, "an authenticator failed unexpectedly");
        }
        return credentials.isAnonymous()
                ? new Refused(ReasonCode.NOT_AUTHORIZED, "anonymous access is disabled")
                : new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "no matching credentials");
    }
}

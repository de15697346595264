package io.heddle.core.authentication;

import io.heddle.core.FailureLog;
import io.heddle.core.Limit;
import io.heddle.core.RemoteNetwork;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.fairness.ConnectRates;
import io.heddle.core.authentication.fairness.PendingSignIns;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.LogValue;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the authenticators, in order, for a connecting client, and the steps of enhanced methods. Thread-safe. Fails closed: without an
 * answer the client is refused.
 *
 * <p>Bounds: {@link PendingSignIns} limits pending clients. Beyond that limit, as many further clients are checked, but only if
 * they need not wait for their turn, for example to compute a hash; the rest are refused with "server busy". Refusals of a network or name with recent
 * failures are delayed ({@link SignInFailures}). A delayed refusal uses neither a thread nor a pending place; above the same
 * number of delayed refusals, further ones are sent at once. A client in an exchange is pending only during a step.
 */
public final class Authentication {
    private static final Logger log = LoggerFactory.getLogger(Authentication.class);

    static final Refused NO_MATCH = new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "no matching credentials");

    private final Function<String, Chain> chains;
    // The authenticators of a listener as an exchange of one step.
    private final EnhancedMethod.Exchange chain = (client, _) -> decide(client);
    private final Executor blockingTasks;
    private final Limit maximumPending;
    private final PendingSignIns pending;
    private final Semaphore unqueued;
    private final Semaphore delays;
    private final ConnectRates rates;
    private final SignInFailures failures;
    private final ClientIncidents incidents;
    private final MeterRegistry metrics;

    /**
     * The methods of a listener.
     *
     * @param authenticators in the order in which they are asked
     * @param enhanced the methods of enhanced authentication; their names differ
     */
    public record Chain(List<Authenticator> authenticators, List<EnhancedMethod> enhanced) {
        public Chain {
            authenticators = List.copyOf(authenticators);
            enhanced = List.copyOf(enhanced);
        }
    }

    /** Creates the authentication of a broker whose listeners have the same methods. */
    public Authentication(
            List<Authenticator> authenticators,
            List<EnhancedMethod> enhanced,
            Executor blockingTasks,
            int maximumPending,
            SignInFailures failures,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this(
                always(new Chain(authenticators, enhanced)),
                blockingTasks,
                maximumPending,
                ConnectRates.unlimited(),
                failures,
                incidents,
                metrics);
    }

    private static Function<String, Chain> always(Chain chain) {
        return _ -> chain;
    }

    /**
     * @param chains returns the methods of a listener, by its name
     * @param blockingTasks runs tasks that may block, each on a virtual thread
     * @param maximumPending the maximum number of clients that wait for an answer
     */
    public Authentication(
            Function<String, Chain> chains,
            Executor blockingTasks,
            int maximumPending,
            ConnectRates rates,
            SignInFailures failures,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.chains = chains;
        this.blockingTasks = blockingTasks;
        this.maximumPending = new Limit("heddle.authentication.maximum-pending", maximumPending);
        this.pending = new PendingSignIns(maximumPending);
        this.unqueued = new Semaphore(maximumPending);
        this.delays = new Semaphore(maximumPending);
        this.rates = rates;
        this.failures = failures;
        this.incidents = incidents;
        this.metrics = metrics;
        metrics.gauge("heddle.authentication.pending", pending, PendingSignIns::count);
        metrics.gauge("heddle.authentication.delayed", delays, free -> maximumPending - free.availablePermits());
    }

    /** Counts a client that connects from an address; returns its refusal if too many do. Any thread. */
    public @Nullable Refused refusal(SocketAddress address) {
        Limit exceeded = rates.exceeded(RemoteNetwork.of(address));
        return exceeded == null
                ? null
                : new Refused(ReasonCode.CONNECTION_RATE_EXCEEDED, "too many clients connect", exceeded);
    }

    /** Authenticates a client and passes the outcome to {@code decided} on {@code caller}, exactly once. */
    public void authenticate(
            ConnectCredentials credentials, EventLoop caller, Consumer<AuthenticationOutcome> decided) {
        run(chain, null, credentials, caller, Authentication::noChallenge, decided);
    }

    private static void noChallenge(EnhancedMethod.Challenge challenge) {
        throw new IllegalStateException("an authenticator decides at once, but there is " + challenge);
    }

    /** Begins an exchange of the enhanced method with this name; returns null if the listener has none. */
    public EnhancedMethod.@Nullable Exchange begin(String method, String listener) {
        for (EnhancedMethod each : chains.apply(listener).enhanced()) {
            if (each.name().equals(method)) {
                return each.begin();
            }
        }
        return null;
    }

    /**
     * Makes a step of an exchange, and passes the challenge to {@code challenged} or the outcome to {@code decided} on {@code caller}: exactly one
     * of them, once.
     */
    public void proceed(
            EnhancedMethod.Exchange exchange,
            ConnectCredentials credentials,
            @Nullable BinaryData data,
            EventLoop caller,
            Consumer<EnhancedMethod.Challenge> challenged,
            Consumer<AuthenticationOutcome> decided) {
        run(exchange, data, credentials, caller, challenged, decided);
    }

    private void run(
            EnhancedMethod.Exchange exchange,
            @Nullable BinaryData data,
            ConnectCredentials credentials,
            EventLoop caller,
            Consumer<EnhancedMethod.Challenge> challenged,
            Consumer<AuthenticationOutcome> decided) {
        SignInSource source = credentials.signInSource();
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
            EnhancedMethod.Step step;
            try {
                step = guarded(exchange, data, isPending ? credentials : credentials.withoutWaiting());
            } finally {
                if (isPending) {
                    pending.leave(source);
                } else {
                    unqueued.release();
                }
            }
            switch (step) {
                case EnhancedMethod.Challenge challenge -> caller.execute(() -> challenged.accept(challenge));
                case AuthenticationOutcome outcome -> conclude(outcome, credentials, source, caller, decided);
            }
        });
    }

    private void conclude(
            AuthenticationOutcome outcome,
            ConnectCredentials credentials,
            SignInSource source,
            EventLoop caller,
            Consumer<AuthenticationOutcome> decided) {
        switch (outcome) {
            case Accepted accepted -> {
                count("accepted");
                if (provesName(accepted, credentials)) {
                    failures.recordSuccess(source);
                }
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

    /** A name in CONNECT that the method ignores is still guessed by others. */
    private static boolean provesName(Accepted accepted, ConnectCredentials credentials) {
        String shown = credentials.userName();
        return shown == null || shown.equals(accepted.identity().userName());
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

    private EnhancedMethod.Step guarded(
            EnhancedMethod.Exchange exchange, @Nullable BinaryData data, ConnectCredentials credentials) {
        if (credentials.gone().getAsBoolean()) {
            return new Refused(ReasonCode.SERVER_BUSY, "the client disconnected");
        }
        try {
            return exchange.answer(credentials, data);
        } catch (SignInBusyException e) {
            Limit limit = credentials.mayWait() ? e.limit() : maximumPending;
            return new Refused(ReasonCode.SERVER_BUSY, String.valueOf(e.getMessage()), limit);
        } catch (StoreUnavailableException e) {
            FailureLog.warn(log, "Authentication is not possible now; clients are refused", e);
            return new Refused(ReasonCode.SERVER_UNAVAILABLE, "a server that the authentication needs is unavailable");
        } catch (RuntimeException | StackOverflowError e) {
            FailureLog.warn(
                    log,
                    "A bug of the authentication refused a client; please report it with this stack: clientId="
                            + LogValue.of(credentials.clientId().value()),
                    e);
            return new Refused(ReasonCode.UNSPECIFIED_ERROR, "an authenticator failed unexpectedly");
        }
    }

    private AuthenticationOutcome decide(ConnectCredentials credentials) {
        for (Authenticator authenticator : chains.apply(credentials.listener()).authenticators()) {
            AuthenticationOutcome outcome = authenticator.authenticate(credentials);
            if (outcome != null) {
                return outcome;
            }
        }
        return credentials.isAnonymous()
                ? new Refused(ReasonCode.NOT_AUTHORIZED, "anonymous access is disabled")
                : NO_MATCH;
    }
}

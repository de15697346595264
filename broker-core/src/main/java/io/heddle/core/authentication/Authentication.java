package io.heddle.core.authentication;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the authenticators, in order, who a connecting client is. Thread-safe. At most a set number of clients wait for an
 * answer at once; the next ones are told that the server is busy. Fails closed: no answer is a no.
 */
public final class Authentication {
    private static final Logger log = LoggerFactory.getLogger(Authentication.class);

    private final List<Authenticator> authenticators;
    private final Executor blockingTasks;
    private final Semaphore places;
    private final MeterRegistry metrics;

    /**
     * The authentication of one broker.
     *
     * @param blockingTasks runs what may block; a virtual thread for each task
     * @param maximumPending how many clients may wait for an answer at once
     */
    public Authentication(
            List<Authenticator> authenticators, Executor blockingTasks, int maximumPending, MeterRegistry metrics) {
        this.authenticators = List.copyOf(authenticators);
        this.blockingTasks = blockingTasks;
        this.places = new Semaphore(maximumPending);
        this.metrics = metrics;
        metrics.gauge("heddle.authentication.pending", places, free -> maximumPending - free.availablePermits());
    }

    /** Decides about a client and hands the outcome to {@code decided} on {@code caller}, always exactly once. */
    public void authenticate(ConnectCredentials shown, Executor caller, Consumer<AuthenticationOutcome> decided) {
        if (!places.tryAcquire()) {
            conclude(new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for authentication"), caller, decided);
            return;
        }
        blockingTasks.execute(() -> {
            AuthenticationOutcome outcome;
            try {
                outcome = decide(shown);
            } finally {
                places.release();
            }
            conclude(outcome, caller, decided);
        });
    }

    private void conclude(AuthenticationOutcome outcome, Executor caller, Consumer<AuthenticationOutcome> decided) {
        String tag = switch (outcome) {
            case Accepted _ -> "accepted";
            case Refused refused -> refused.reason().tag();
        };
        metrics.counter("heddle.authentication", "outcome", tag).increment();
        caller.execute(() -> decided.accept(outcome));
    }

    private AuthenticationOutcome decide(ConnectCredentials shown) {
        try {
            for (Authenticator authenticator : authenticators) {
                AuthenticationOutcome outcome = authenticator.authenticate(shown);
                if (outcome != null) {
                    return outcome;
                }
            }
        } catch (StoreUnavailableException e) {
            log.debug("clientId={} cannot be authenticated now", shown.clientId(), e);
            return new Refused(ReasonCode.SERVER_UNAVAILABLE, "the credentials store does not answer");
        } catch (RuntimeException e) {
            log.error("An authenticator failed; the client is refused", e);
            return new Refused(ReasonCode.UNSPECIFIED_ERROR, "an authenticator failed");
        }
        boolean showedSomething = shown.userName() != null || shown.password() != null;
        return showedSomething
                ? new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "no credentials apply")
                : new Refused(ReasonCode.NOT_AUTHORIZED, "anonymous access is off");
    }
}

package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A method of the chain, with a name and a bound of its own: a slow method neither grows without limit nor takes the places of clients of other
 * methods. Thread-safe.
 *
 * <p>Metric: {@code heddle.authentication.method{method,outcome}}.
 */
public final class AuthenticationMethod implements Authenticator {
    private final String name;
    private final Authenticator delegate;
    private final Limit maximumCalls;
    private final Semaphore calls;
    private final MeterRegistry metrics;

    /**
     * Creates a method.
     *
     * @param name in settings and metrics
     * @param maximumCalls of the delegate at once; further clients are refused with "server busy"
     */
    public AuthenticationMethod(String name, Authenticator delegate, Limit maximumCalls, MeterRegistry metrics) {
        this.name = name;
        this.delegate = delegate;
        this.maximumCalls = maximumCalls;
        this.calls = new Semaphore(Math.toIntExact(maximumCalls.value()));
        this.metrics = metrics;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        if (!delegate.mayApply(credentials)) {
            return null;
        }
        Timer.Sample sample = Timer.start(metrics);
        if (!calls.tryAcquire()) {
            count(sample, ReasonCode.SERVER_BUSY.tag());
            return new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for this method", maximumCalls);
        }
        String outcome = ReasonCode.UNSPECIFIED_ERROR.tag();
        try {
            AuthenticationOutcome answer = delegate.authenticate(credentials);
            outcome = tag(answer);
            return answer;
        } catch (SignInBusyException busy) {
            outcome = ReasonCode.SERVER_BUSY.tag();
            throw busy;
        } catch (StoreUnavailableException unavailable) {
            outcome = ReasonCode.SERVER_UNAVAILABLE.tag();
            throw unavailable;
        } finally {
            calls.release();
            count(sample, outcome);
        }
    }

    private static String tag(@Nullable AuthenticationOutcome answer) {
        return switch (answer) {
            case null -> "not_mine";
            case Accepted _ -> "accepted";
            case Refused refused -> refused.reason().tag();
        };
    }

    private void count(Timer.Sample sample, String outcome) {
        sample.stop(metrics.timer("heddle.authentication.method", "method", name, "outcome", outcome));
    }
}

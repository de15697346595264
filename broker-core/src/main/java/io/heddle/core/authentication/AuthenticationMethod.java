package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method with a name and a bound of its own, in the chain, as an enhanced method or both: a slow method neither grows without limit nor takes the places of clients of other
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

    /** Creates a method that is only enhanced, see {@link #limiting}. */
    public AuthenticationMethod(String name, Limit maximumCalls, MeterRegistry metrics) {
        this(name, _ -> null, maximumCalls, metrics);
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        if (!delegate.mayApply(credentials)) {
            return null;
        }
        Refused busy = enter();
        return busy == null ? limited(() -> delegate.authenticate(credentials)) : busy;
    }

    /** Returns an enhanced method whose steps count as calls of this method. */
    public EnhancedMethod limiting(EnhancedMethod method) {
        return EnhancedMethod.of(method.name(), () -> {
            EnhancedMethod.Exchange exchange = method.begin();
            return (client, data) -> {
                Refused busy = enter();
                return busy == null ? limited(() -> exchange.answer(client, data)) : busy;
            };
        });
    }

    private @Nullable Refused enter() {
        if (calls.tryAcquire()) {
            return null;
        }
        count(Timer.start(metrics), ReasonCode.SERVER_BUSY.tag());
        return new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for this method", maximumCalls);
    }

    /** Called after {@link #enter}. */
    private <S extends EnhancedMethod.@Nullable Step> S limited(Supplier<S> question) {
        Timer.Sample sample = Timer.start(metrics);
        String outcome = ReasonCode.UNSPECIFIED_ERROR.tag();
        try {
            S answer = question.get();
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

    private static String tag(EnhancedMethod.@Nullable Step answer) {
        return switch (answer) {
            case null -> "not_mine";
            case EnhancedMethod.Challenge _ -> "challenged";
            case Accepted _ -> "accepted";
            case Refused refused -> refused.reason().tag();
        };
    }

    private void count(Timer.Sample sample, String outcome) {
        sample.stop(metrics.timer("heddle.authentication.method", "method", name, "outcome", outcome));
    }
}

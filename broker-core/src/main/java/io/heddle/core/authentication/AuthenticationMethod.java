package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.fairness.PendingSignIns;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A method with a name and a bound of its own, in the chain, as an enhanced method or both: a slow method neither grows without limit nor takes the
 * places of clients of other methods, and no network takes all of its places. Thread-safe.
 *
 * <p>Metric: {@code heddle.authentication.method{method,outcome}}.
 */
public final class AuthenticationMethod implements Authenticator {
    private final String name;
    private final Authenticator delegate;
    private final Limit maximumCalls;
    private final PendingSignIns calls;
    private final MeterRegistry metrics;

    /**
     * @param name in settings and metrics
     * @param maximumCalls of the delegate at once, of which one network gets at most half; further clients are refused with "server busy"
     */
    public AuthenticationMethod(String name, Authenticator delegate, Limit maximumCalls, MeterRegistry metrics) {
        this.name = name;
        this.delegate = delegate;
        this.maximumCalls = maximumCalls;
        this.calls = new PendingSignIns(Math.toIntExact(maximumCalls.value()));
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
        SignInSource source = credentials.signInSource();
        Refused busy = enter(source);
        return busy == null ? limited(source, () -> delegate.authenticate(credentials)) : busy;
    }

    /** Returns an enhanced method whose steps count as calls of this method. */
    public EnhancedMethod limiting(EnhancedMethod method) {
        return EnhancedMethod.of(method.name(), () -> {
            EnhancedMethod.Exchange exchange = method.begin();
            return (client, data) -> {
                SignInSource source = client.signInSource();
                Refused busy = enter(source);
                return busy == null ? limited(source, () -> exchange.answer(client, data)) : busy;
            };
        });
    }

    private @Nullable Refused enter(SignInSource source) {
        if (calls.enter(source)) {
            return null;
        }
        count(Timer.start(metrics), ReasonCode.SERVER_BUSY.tag());
        return new Refused(ReasonCode.SERVER_BUSY, "too many clients wait for this method", maximumCalls);
    }

    /** Called after {@link #enter}. */
    private <S extends EnhancedMethod.@Nullable Step> S limited(SignInSource source, Supplier<S> question) {
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
            calls.leave(source);
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

package io.heddle.persistence.http;

import io.heddle.core.FailureLog;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.authentication.fairness.SignInTurns;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.persistence.http.CircuitBreaker.Pass;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a service about each client with a user name or a password. Thread-safe; blocks. Fails closed. Bounds: {@link ServiceLimits}, and {@value
 * #MAXIMUM_BYTES} bytes of an answer; the callers bound the clients that wait.
 *
 * <p>Metrics: {@code heddle.authentication.http.requests{outcome}}, {@code heddle.authentication.http.unasked{reason}}, {@code
 * heddle.authentication.http.circuit.open}.
 */
public final class HttpAuthenticator implements Authenticator, AutoCloseable {
    static final int MAXIMUM_BYTES = 1 << 16;

    private static final Logger log = LoggerFactory.getLogger(HttpAuthenticator.class);

    private final ServiceRequests requests;
    private final Map<String, String> headers;
    private final InstantSource timeOfDay;
    private final SteadyClock clock;
    private final MeterRegistry metrics;
    private final String host;
    private final WebClient client;
    private final SignInTurns turns;
    private final AnswerCache cache;
    private final CircuitBreaker breaker;

    /**
     * @param headers of each request
     * @param trust the authorities of the service, or null for those of Java
     * @param isFailing whether a network has recent failures, and thus lower priority; evaluated at each of its turns
     * @param timeOfDay decides whether a permission has ended
     * @param clock measures the time until it ends
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public HttpAuthenticator(
            ServiceRequests requests,
            Map<String, String> headers,
            @Nullable SSLContext trust,
            ServiceLimits limits,
            Predicate<String> isFailing,
            InstantSource timeOfDay,
            SteadyClock clock,
            LongSupplier nanoTime,
            MeterRegistry metrics) {
        this.requests = requests;
        this.headers = Map.copyOf(headers);
        this.timeOfDay = timeOfDay;
        this.clock = clock;
        this.metrics = metrics;
        this.host = Objects.toString(URI.create(requests.withoutValues()).getAuthority());
        this.client = new WebClient(limits.timeout(), MAXIMUM_BYTES, trust);
        this.turns = new SignInTurns(
                Math.toIntExact(limits.concurrentRequests().value()),
                limits.timeout(),
                limits.concurrentRequests(),
                isFailing,
                false,
                nanoTime);
        this.cache = new AnswerCache(limits.cacheBytes(), limits.cacheTime(), new SecureRandom(), nanoTime);
        this.breaker = new CircuitBreaker(host, limits.breakerFailures(), limits.breakerPause(), nanoTime);
        Gauge.builder("heddle.authentication.http.circuit.open", breaker, each -> each.isOpen() ? 1 : 0)
                .description("Whether clients are refused without a request, because the authentication service fails")
                .register(metrics);
    }

    @Override
    public boolean mayApply(ConnectCredentials credentials) {
        return requests.of(credentials) != null;
    }

    @Override
    public @Nullable AuthenticationOutcome authenticate(ConnectCredentials credentials) {
        ServiceRequest request = requests.of(credentials);
        if (request == null) {
            return null;
        }
        ServiceAnswer known = cache.find(request, timeOfDay.instant());
        if (known != null) {
            countUnasked("cached");
            return outcome(known, credentials);
        }
        if (breaker.denies()) {
            return unavailable();
        }
        try (SignInTurns.Turn _ = awaitTurn(credentials.signInSource())) {
            if (credentials.gone().getAsBoolean()) {
                throw new SignInBusyException("the client disconnected");
            }
            return ask(request, credentials);
        }
    }

    private SignInTurns.Turn awaitTurn(SignInSource source) {
        SignInTurns.Turn turn = source.mayWait() ? turns.begin(source) : turns.tryBegin(source);
        if (turn == null) {
            throw new SignInBusyException("too many clients are waiting for authentication");
        }
        return turn;
    }

    private @Nullable AuthenticationOutcome ask(ServiceRequest request, ConnectCredentials credentials) {
        Pass pass = breaker.enter();
        if (pass == Pass.DENIED) {
            return unavailable();
        }
        Timer.Sample sample = Timer.start(metrics);
        String outcome = "failed";
        boolean isAnswered = false;
        try {
            ServiceAnswer answer = send(request);
            isAnswered = true;
            outcome = answer.result().tag();
            cache.keep(request, answer);
            return outcome(answer, credentials);
        } catch (IOException failure) {
            if (failure instanceof UnusableAnswerException unusable && unusable.isRejected()) {
                isAnswered = true;
                outcome = unusable.outcome();
                return rejected(unusable);
            }
            outcome = switch (failure) {
                case UnusableAnswerException unusable -> unusable.outcome();
                case HttpTimeoutException _ -> "timeout";
                default -> outcome;
            };
            FailureLog.warn(
                    log,
                    "The authentication service gave no usable answer; the client is refused: outcome=" + outcome
                            + ", host=" + host,
                    failure);
            return new Refused(ReasonCode.SERVER_UNAVAILABLE, "the authentication service gave no usable answer");
        } finally {
            if (isAnswered) {
                breaker.recordSuccess();
            } else {
                breaker.recordFailure(pass);
            }
            sample.stop(metrics.timer("heddle.authentication.http.requests", "outcome", outcome));
        }
    }

    private Refused rejected(UnusableAnswerException answer) {
        FailureLog.warn(
                log,
                "The authentication service rejects a request; only this client is refused (check the form of requests"
                        + " if all are): outcome=" + answer.outcome() + ", host=" + host,
                answer);
        return new Refused(
                ReasonCode.BAD_USER_NAME_OR_PASSWORD,
                "the authentication service rejects the request about the client");
    }

    private ServiceAnswer send(ServiceRequest request) throws IOException {
        HttpRequest.Builder complete = request.toHttp();
        headers.forEach(complete::setHeader);
        HttpResponse<byte[]> response = client.send(complete);
        ServiceAnswer answer = ServiceAnswer.parse(response.statusCode(), response.body());
        if (answer.ownsClientId() && !requests.hasClientId()) {
            throw UnusableAnswerException.malformed("has ownsClientId, but the request has no client id");
        }
        return answer;
    }

    private Refused unavailable() {
        countUnasked("circuit_open");
        return new Refused(ReasonCode.SERVER_UNAVAILABLE, "the authentication service has failed before");
    }

    private void countUnasked(String reason) {
        metrics.counter("heddle.authentication.http.unasked", "reason", reason).increment();
    }

    private @Nullable AuthenticationOutcome outcome(ServiceAnswer answer, ConnectCredentials credentials) {
        return switch (answer.result()) {
            case ALLOW -> allowed(answer, credentials, timeOfDay.instant());
            case DENY ->
                new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "the authentication service refuses the client");
            case IGNORE -> null;
        };
    }

    private AuthenticationOutcome allowed(ServiceAnswer answer, ConnectCredentials credentials, Instant now) {
        Instant end = answer.end();
        if (answer.isOver(now)) {
            return new Refused(
                    ReasonCode.BAD_USER_NAME_OR_PASSWORD, "the permission of the authentication service has ended");
        }
        String shown = credentials.userName();
        String userName = answer.userName() == null && shown != null && !shown.isEmpty() ? shown : answer.userName();
        return new Accepted(
                new ClientIdentity(credentials.clientId(), answer.type(), userName, answer.ownsClientId()),
                answer.groups(),
                answer.attributes(),
                // The time of day may be set while the client is connected.
                end == null ? null : clock.deadline(end, now));
    }

    /** Returns the number of clients that wait for their turn. */
    int waiting() {
        return turns.waiting();
    }

    @Override
    public void close() {
        client.close();
    }
}

package io.heddle.app.wiring;

import io.heddle.app.authentication.MethodChains;
import io.heddle.app.authentication.MethodName;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.settings.AuthenticationSettings;
import io.heddle.core.authentication.Authentication.Chain;
import io.heddle.core.authentication.AuthenticationMethod;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.CredentialsLookup;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.QueuedPasswordHash;
import io.heddle.core.authentication.ReservedClientIds;
import io.heddle.core.authentication.StoredCredentialsAuthenticator;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.session.LocalSessions;
import io.heddle.persistence.http.HttpAuthenticator;
import io.heddle.persistence.jwt.JwtAuthenticator;
import io.heddle.persistence.jwt.KeySource;
import io.heddle.persistence.jwt.RemovedKeys;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.password.RememberingPasswordHash;
import io.heddle.persistence.scram.ScramAlgorithm;
import io.heddle.persistence.scram.ScramMethod;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of authentication that the settings name, in their order, each with a limit of its own, and anonymous access as the last one. Closed
 * after the broker has stopped.
 */
final class AuthenticationMethods implements AutoCloseable {
    /** The interval of the check whether keys for JWTs are due or have changed. */
    private static final Duration KEYS_PAUSE = Duration.ofSeconds(1);

    /** The Authentication Method of clients that send a token. */
    private static final String JWT = "JWT";

    private final AuthenticationSettings settings;
    private final SignInFailures failures;
    private final CredentialsLookup credentials;
    private final Supplier<UUID> clusterId;
    private final SteadyClock clock;
    private final MeterRegistry metrics;
    // Null without the method jwt.
    private final @Nullable KeySource keys;
    // Null without the method http.
    private final @Nullable HttpAuthenticator http;

    AuthenticationMethods(
            AuthenticationSettings settings,
            SignInFailures failures,
            CredentialsLookup credentials,
            Supplier<UUID> clusterId,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.settings = settings;
        this.failures = failures;
        this.credentials = credentials;
        this.clusterId = clusterId;
        this.clock = clock;
        this.metrics = metrics;
        this.keys = settings.methods().contains(MethodName.JWT) ? settings.jwt().toKeySource(metrics) : null;
        this.http = settings.methods().contains(MethodName.HTTP)
                ? settings.http().toAuthenticator(failures, clock, metrics)
                : null;
    }

    /** Creates the methods, and returns those of each listener by its name. Called once. */
    MethodChains create(
            Authenticator selfCheck, Authenticator anonymous, List<ConfiguredListener> listeners, ActiveRules rules) {
        Map<MethodName, Chain> made = new EnumMap<>(MethodName.class);
        settings.methods().forEach(each -> made.put(each, method(each, selfCheck)));
        Map<String, List<MethodName>> ofListeners = new HashMap<>();
        for (ConfiguredListener each : listeners) {
            List<MethodName> methods = each.settings().authenticationMethods();
            if (!methods.isEmpty()) {
                ofListeners.put(each.name(), methods);
            }
        }
        return new MethodChains(
                rules,
                ofListeners,
                settings.methods(),
                (methods, last) ->
                        chain(methods, made, selfCheck, last == null ? anonymous(methods, anonymous) : last));
    }

    private Authenticator anonymous(List<MethodName> methods, Authenticator anonymous) {
        return methods.contains(MethodName.PASSWORD) ? anonymous : new ReservedClientIds(anonymous, credentials);
    }

    private static Chain chain(
            List<MethodName> methods, Map<MethodName, Chain> made, Authenticator selfCheck, Authenticator last) {
        List<Authenticator> inOrder = new ArrayList<>();
        List<EnhancedMethod> enhanced = new ArrayList<>();
        for (MethodName each : methods) {
            Chain method = Objects.requireNonNull(made.get(each));
            inOrder.addAll(method.authenticators());
            enhanced.addAll(method.enhanced());
        }
        // The self-check is behind the methods, so that it queries the credentials store and loads the classes for the
        // first client.
        inOrder.add(selfCheck);
        inOrder.add(last);
        return new Chain(inOrder, enhanced);
    }

    private Chain method(MethodName which, Authenticator selfCheck) {
        String name = which.text();
        return switch (which) {
            case PASSWORD -> of(new AuthenticationMethod(name, password(), settings.passwordLimit(), metrics));
            case JWT -> {
                Authenticator jwt = new ReservedClientIds(jwt(), credentials);
                AuthenticationMethod method =
                        new AuthenticationMethod(name, jwt, settings.jwt().limit(), metrics);
                yield new Chain(List.of(method), List.of(method.limiting(EnhancedMethod.ofPassword(JWT, jwt))));
            }
            case CERTIFICATE ->
                of(new AuthenticationMethod(
                        name,
                        settings.certificate().toAuthenticator(credentials, clock),
                        settings.certificate().limit(),
                        metrics));
            case HTTP ->
                // A start does not depend on the service, which need not see the self-check either.
                of(
                        selfCheck,
                        new AuthenticationMethod(
                                name,
                                new ReservedClientIds(Objects.requireNonNull(http, "the method http"), credentials),
                                settings.http().limit(),
                                metrics));
            case SCRAM -> {
                AuthenticationMethod method = new AuthenticationMethod(name, settings.passwordLimit(), metrics);
                List<EnhancedMethod> scram = new ArrayList<>();
                for (ScramAlgorithm algorithm : ScramAlgorithm.values()) {
                    scram.add(method.limiting(new ScramMethod(algorithm, credentials, clusterId, new SecureRandom())));
                }
                yield new Chain(List.of(), scram);
            }
        };
    }

    private static Chain of(Authenticator... authenticators) {
        return new Chain(List.of(authenticators), List.of());
    }

    private Authenticator password() {
        SecureRandom random = new SecureRandom();
        PasswordHash queued = new QueuedPasswordHash(
                new Argon2PasswordHash(settings.passwordChecks(), random, metrics),
                settings.passwordChecks(),
                settings.maximumPasswordWait(),
                failures,
                System::nanoTime,
                metrics);
        PasswordHash remembering = new RememberingPasswordHash(
                queued, settings.maximumRemembered(), settings.remember(), random, System::nanoTime, metrics);
        return new StoredCredentialsAuthenticator(credentials, remembering, random);
    }

    private Authenticator jwt() {
        return new JwtAuthenticator(
                Objects.requireNonNull(keys, "the method jwt has keys"),
                settings.jwt().toClaimRules(),
                InstantSource.system(),
                clock);
    }

    /**
     * Returns the phases in which the methods work by themselves.
     *
     * @param sessions returns the sessions of this node; null before the broker serves and after its stop
     */
    List<StartupPhase> phases(Supplier<@Nullable LocalSessions> sessions) {
        return keys == null
                ? List.of()
                : List.of(new Housekeeping(
                        "jwt-keys", KEYS_PAUSE, new RemovedKeys(keys, sessions, System::nanoTime, metrics)::run));
    }

    @Override
    public void close() {
        if (keys != null) {
            keys.close();
        }
        if (http != null) {
            http.close();
        }
    }
}

package io.heddle.app.wiring;

import io.heddle.app.settings.AuthenticationSettings;
import io.heddle.app.settings.AuthenticationSettings.Method;
import io.heddle.core.authentication.AuthenticationMethod;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.EnhancedMethod;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.QueuedPasswordHash;
import io.heddle.core.authentication.ReservedClientIds;
import io.heddle.core.authentication.SignInFailures;
import io.heddle.core.authentication.StoredCredentialsAuthenticator;
import io.heddle.core.lifecycle.Housekeeping;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.message.SteadyClock;
import io.heddle.persistence.http.HttpAuthenticator;
import io.heddle.persistence.jwt.JwtAuthenticator;
import io.heddle.persistence.jwt.KeySource;
import io.heddle.persistence.jwt.RemoteKeys;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.password.RememberingPasswordHash;
import io.heddle.persistence.scram.ScramAlgorithm;
import io.heddle.persistence.scram.ScramMethod;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The methods of authentication that the settings name, in their order, each with a limit of its own, and anonymous access as the last one. Closed
 * after the broker has stopped.
 */
final class AuthenticationMethods implements AutoCloseable {
    /** The interval of the check whether keys for JWTs are due. */
    private static final Duration KEYS_PAUSE = Duration.ofSeconds(1);

    /** The Authentication Method of clients that send a token. */
    private static final String JWT = "JWT";

    private final AuthenticationSettings settings;
    private final SignInFailures failures;
    private final CredentialsStore credentials;
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
            CredentialsStore credentials,
            Supplier<UUID> clusterId,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.settings = settings;
        this.failures = failures;
        this.credentials = credentials;
        this.clusterId = clusterId;
        this.clock = clock;
        this.metrics = metrics;
        this.keys = settings.methods().contains(Method.JWT) ? settings.jwt().toKeySource(metrics) : null;
        this.http = settings.methods().contains(Method.HTTP) ? settings.http().toAuthenticator(clock, metrics) : null;
    }

    /** The authenticators that are asked, and the methods of enhanced authentication. */
    record Chosen(List<Authenticator> inOrder, List<EnhancedMethod> enhanced) {}

    /** Creates the methods. Called once. */
    Chosen create(Authenticator selfCheck, Authenticator anonymous) {
        List<Authenticator> inOrder = new ArrayList<>();
        List<EnhancedMethod> enhanced = new ArrayList<>();
        for (Method each : settings.methods()) {
            String name = each.name().toLowerCase(Locale.ROOT);
            switch (each) {
                case PASSWORD ->
                    inOrder.add(new AuthenticationMethod(name, password(), settings.passwordLimit(), metrics));
                case JWT -> {
                    Authenticator jwt = new ReservedClientIds(jwt(), credentials);
                    AuthenticationMethod method =
                            new AuthenticationMethod(name, jwt, settings.jwt().limit(), metrics);
                    inOrder.add(method);
                    enhanced.add(method.limiting(EnhancedMethod.ofPassword(JWT, jwt)));
                }
                case CERTIFICATE ->
                    inOrder.add(new AuthenticationMethod(
                            name,
                            settings.certificate().toAuthenticator(credentials),
                            settings.certificate().limit(),
                            metrics));
                case HTTP -> {
                    // A start does not depend on the service, which need not see the self-check either.
                    inOrder.add(selfCheck);
                    inOrder.add(new AuthenticationMethod(
                            name,
                            new ReservedClientIds(Objects.requireNonNull(http, "the method http"), credentials),
                            settings.http().limit(),
                            metrics));
                }
                case SCRAM -> {
                    AuthenticationMethod method = new AuthenticationMethod(name, settings.passwordLimit(), metrics);
                    for (ScramAlgorithm algorithm : ScramAlgorithm.values()) {
                        enhanced.add(method.limiting(
                                new ScramMethod(algorithm, credentials, clusterId, new SecureRandom())));
                    }
                }
            }
        }
        // The self-check is behind the methods, so that it queries the credentials store and loads the classes for the
        // first client.
        inOrder.add(selfCheck);
        inOrder.add(
                settings.methods().contains(Method.PASSWORD)
                        ? anonymous
                        : new ReservedClientIds(anonymous, credentials));
        return new Chosen(inOrder, enhanced);
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

    /** Returns the phases in which the methods work by themselves. */
    List<StartupPhase> phases() {
        return keys instanceof RemoteKeys remote
                ? List.of(new Housekeeping("jwt-keys", KEYS_PAUSE, remote::refresh))
                : List.of();
    }

    @Override
    public void close() {
        if (keys instanceof RemoteKeys remote) {
            remote.close();
        }
        if (http != null) {
            http.close();
        }
    }
}

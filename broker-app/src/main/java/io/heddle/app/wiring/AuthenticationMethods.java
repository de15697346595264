package io.heddle.app.wiring;

import io.heddle.app.settings.AuthenticationSettings;
import io.heddle.app.settings.AuthenticationSettings.Method;
import io.heddle.core.Limit;
import io.heddle.core.authentication.AuthenticationMethod;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.CredentialsStore;
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
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The methods of authentication that the settings name, in their order, each with a limit of its own, and anonymous access as the last one. Closed
 * after the broker has stopped.
 */
final class AuthenticationMethods implements AutoCloseable {
    /** The interval of the check whether keys for JWTs are due. */
    private static final Duration KEYS_PAUSE = Duration.ofSeconds(1);

    private final AuthenticationSettings settings;
    private final SignInFailures failures;
    private final CredentialsStore credentials;
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
            SteadyClock clock,
            MeterRegistry metrics) {
        this.settings = settings;
        this.failures = failures;
        this.credentials = credentials;
        this.clock = clock;
        this.metrics = metrics;
        this.keys = settings.methods().contains(Method.JWT) ? settings.jwt().toKeySource(metrics) : null;
        this.http = settings.methods().contains(Method.HTTP) ? settings.http().toAuthenticator(clock, metrics) : null;
    }

    /** Creates the methods. Called once. */
    List<Authenticator> create(Authenticator selfCheck, Authenticator anonymous) {
        List<Authenticator> inOrder = new ArrayList<>();
        for (Method each : settings.methods()) {
            if (each == Method.HTTP) {
                // A start does not depend on the service, which need not see the self-check either.
                inOrder.add(selfCheck);
            }
            inOrder.add(
                    switch (each) {
                        case PASSWORD -> limited(each, password(), settings.passwordLimit());
                        case JWT ->
                            limited(
                                    each,
                                    new ReservedClientIds(jwt(), credentials),
                                    settings.jwt().limit());
                        case CERTIFICATE ->
                            limited(
                                    each,
                                    settings.certificate().toAuthenticator(credentials),
                                    settings.certificate().limit());
                        case HTTP ->
                            limited(
                                    each,
                                    new ReservedClientIds(Objects.requireNonNull(http, "the method http"), credentials),
                                    settings.http().limit());
                    });
        }
        // The self-check is behind the methods, so that it queries the credentials store and loads the classes for the
        // first client.
        inOrder.add(selfCheck);
        inOrder.add(
                settings.methods().contains(Method.PASSWORD)
                        ? anonymous
                        : new ReservedClientIds(anonymous, credentials));
        return inOrder;
    }

    private Authenticator limited(Method method, Authenticator authenticator, Limit limit) {
        return new AuthenticationMethod(method.name().toLowerCase(Locale.ROOT), authenticator, limit, metrics);
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

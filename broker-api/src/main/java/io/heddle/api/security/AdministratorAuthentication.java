package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.authentication.fairness.SignInTurns;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks the name and password of an administrator. Blocks, so callers use virtual threads. Thread-safe.
 *
 * <p>Each request reads the administrator from the store, so that removal, demotion and a changed password take effect immediately. Only
 * the slow hash is skipped for a password that matched the same stored hash recently. Bounds: a few verifications run at once; the others wait for up to
 * 5 s, and addresses take turns. As many guesses as run at once may exceed the failures that start a lockout.
 *
 * <p>While the store does not respond, an administrator who has signed in at this node within {@value #KNOWN_HOURS} hours may still read
 * its metrics, because monitoring must not be blind then. Requests for metrics wait for the store for at most {@value #METRICS_WAIT_MILLIS} ms,
 * and after a failure not at all for {@value #AWAY_SECONDS} s.
 */
public final class AdministratorAuthentication implements AuthenticationProvider {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final int AWAY_SECONDS = 20;
    private static final int METRICS_WAIT_MILLIS = 500;
    private static final int KNOWN_HOURS = 24;
    private static final int MAX_KNOWN = 1_000;
    private static final String UNAVAILABLE = "the store of administrators does not respond";
    private static final Logger log = LoggerFactory.getLogger(AdministratorAuthentication.class);

    // dependencies
    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final SignInLimits limits;
    private final SignInMetrics metrics;
    private final LockoutLog lockouts;
    private final Duration lockout;

    // lifetime: process
    /** Administrators by their names, as they were in the store at their latest sign-in. */
    private final Cache<String, AdminUser> known;

    private final SignInTurns verifications;
    private final String decoy;
    private final Ticker clock;
    /** Null if the latest answer of the store was one. */
    private volatile @Nullable Failure failed;

    private record Failure(StoreUnavailableException cause, long atNanos) {}

    /**
     * Computes one hash, which takes several milliseconds.
     *
     * @param passwordHash remembers matches
     */
    public AdministratorAuthentication(
            AdminUsers users,
            PasswordHash passwordHash,
            SignInSettings settings,
            MeterRegistry registry,
            SecureRandom random,
            Ticker clock) {
        this.users = users;
        this.passwordHash = passwordHash;
        this.limits = new SignInLimits(settings, clock);
        this.known = Caffeine.newBuilder()
                .maximumSize(MAX_KNOWN)
                .expireAfterWrite(Duration.ofHours(KNOWN_HOURS))
                .ticker(clock)
                .executor(Runnable::run)
                .build();
        this.metrics = new SignInMetrics(registry);
        this.lockouts = new LockoutLog(log, clock::read);
        this.lockout = settings.lockout();
        this.clock = clock;
        this.verifications = new SignInTurns(
                settings.maxConcurrentVerifications(),
                MAX_WAIT,
                new Limit("seconds of an administrator's wait for a verification", MAX_WAIT.toSeconds()),
                limits::isFailing,
                clock::read);
        byte[] decoyPassword = new byte[32];
        random.nextBytes(decoyPassword);
        this.decoy = passwordHash.hash(BinaryData.wrap(decoyPassword));
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }

    @Override
    public Authentication authenticate(Authentication shown) {
        String userName = shown.getName();
        String text = shown.getCredentials() instanceof String credentials ? credentials : "";
        BinaryData password = BinaryData.wrap(text.getBytes(UTF_8));
        String address =
                shown.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
        SignInSource source = SignInSource.of(address, userName);

        AdminUser before = known.getIfPresent(userName);
        // A lockout that others caused does not apply to an administrator who signed in recently.
        if (before == null || !passwordHash.isRemembered(password, before.passwordHash())) {
            refuseIfLocked(source);
        }
        boolean isForMetrics = shown.getDetails() instanceof RequestDetails details && details.isForMetrics();
        AdminUser user;
        try {
            user = isForMetrics ? findSoon(userName) : find(userName);
        } catch (StoreUnavailableException failure) {
            if (isForMetrics && before != null) {
                return readMetrics(before, password, source, address, failure);
            }
            throw unavailable(failure);
        }
        if (user == null || (before != null && !before.passwordHash().equals(user.passwordHash()))) {
            known.invalidate(userName);
        }
        if (user != null && passwordHash.isRemembered(password, user.passwordHash())) {
            metrics.remembered.increment();
            return accepted(user);
        }
        awaitTurn(source);
        try {
            return verify(userName, user, password, source, address);
        } finally {
            verifications.end();
        }
    }

    private AuthenticationServiceException unavailable(StoreUnavailableException failure) {
        metrics.unavailable.increment();
        return new AuthenticationServiceException(UNAVAILABLE, failure);
    }

    /** Signs an administrator in whom the store knew at the latest sign-in. */
    private Authentication readMetrics(
            AdminUser before,
            BinaryData password,
            SignInSource source,
            String address,
            StoreUnavailableException failure) {
        if (!passwordHash.isRemembered(password, before.passwordHash())) {
            awaitTurn(source);
            try {
                refuseIfLocked(source);
                if (!passwordHash.matches(password, before.passwordHash(), source)) {
                    onFailure(source, before.userName(), address);
                    throw unavailable(failure);
                }
            } finally {
                verifications.end();
            }
        }
        metrics.withoutStore.increment();
        return accepted(before.userName(), AdminRole.VIEWER);
    }

    private void onFailure(SignInSource source, String userName, String address) {
        if (limits.onFailure(source)) {
            lockouts.begin(source, userName, address, lockout);
        }
    }

    private Authentication verify(
            String userName, @Nullable AdminUser user, BinaryData password, SignInSource source, String address) {
        // Checked again: during the wait, another guess may have reached the limit, or another request of the same
        // administrator may have succeeded.
        refuseIfLocked(source);
        if (user != null && passwordHash.isRemembered(password, user.passwordHash())) {
            metrics.remembered.increment();
            return accepted(user);
        }
        // Also for an unknown name, so that the response time does not reveal which names exist.
        boolean matches = passwordHash.matches(password, user == null ? decoy : user.passwordHash(), source);
        if (user == null || !matches) {
            onFailure(source, userName, address);
            metrics.refused.increment();
            throw new BadCredentialsException("wrong user name or password");
        }
        limits.onSuccess(source);
        metrics.accepted.increment();
        return accepted(user);
    }

    private void refuseIfLocked(SignInSource source) {
        Duration lockout = limits.remainingLockout(source);
        if (lockout != null) {
            metrics.limited.increment();
            throw new SignInLimitedException(lockout);
        }
    }

    private @Nullable AdminUser find(String userName) {
        if (userName.isBlank() || userName.length() > AdminUser.MAX_USER_NAME_LENGTH || userName.indexOf('\0') >= 0) {
            // No administrator can have this name, and not every store accepts it in a query.
            return null;
        }
        try {
            AdminUser found = users.find(userName);
            failed = null;
            return found;
        } catch (StoreUnavailableException failure) {
            failed = new Failure(failure, clock.read());
            throw failure;
        }
    }

    /** The store has its own, longer limit, which the request does not wait for. */
    private @Nullable AdminUser findSoon(String userName) {
        Failure latest = failed;
        if (latest != null && clock.read() - latest.atNanos() < TimeUnit.SECONDS.toNanos(AWAY_SECONDS)) {
            throw latest.cause();
        }
        FutureTask<@Nullable AdminUser> search = new FutureTask<>(() -> find(userName));
        Thread.ofVirtual().name("heddle-find-administrator").start(search);
        try {
            return search.get(METRICS_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            StoreUnavailableException late =
                    StoreUnavailableException.postgres("the administrators were not read in time", e);
            failed = new Failure(late, clock.read());
            throw late;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AuthenticationServiceException("the server is stopping", e);
        }
    }

    /** Returns how many requests wait for a verification. */
    int waiting() {
        return verifications.waiting();
    }

    private void awaitTurn(SignInSource source) {
        try {
            verifications.begin(source);
        } catch (SignInBusyException busy) {
            metrics.busy.increment();
            throw new AuthenticationServiceException("too many passwords are being verified", busy);
        }
    }

    private Authentication accepted(AdminUser user) {
        known.put(user.userName(), user);
        return accepted(user.userName(), user.role());
    }

    private static Authentication accepted(String userName, AdminRole role) {
        return UsernamePasswordAuthenticationToken.authenticated(
                userName, null, List.of(new SimpleGrantedAuthority("ROLE_" + role)));
    }
}

package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
 * the slow hash is skipped for a password that was verified recently. Bounds: a few verifications run at once; the others wait for up to
 * {@value #MAX_WAIT_SECONDS} s. As many guesses as run at once may exceed the failures that start a lockout.
 *
 * <p>While the store does not respond, an administrator who has signed in at this node may still read its metrics, because monitoring must
 * not be blind then. After a failure, these requests do not ask the store for {@value #AWAY_SECONDS} s, so that each one takes less time than
 * Prometheus waits.
 */
public final class AdministratorAuthentication implements AuthenticationProvider {
    private static final int MAX_WAIT_SECONDS = 5;
    private static final int AWAY_SECONDS = 20;
    private static final Logger log = LoggerFactory.getLogger(AdministratorAuthentication.class);

    // dependencies
    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final SignInLimits limits;
    private final VerifiedPasswords verified;
    private final SignInMetrics metrics;
    private final LockoutLog lockouts;
    private final Duration lockout;

    // lifetime: process
    private final Semaphore verifications;
    private final String decoy;
    private final Ticker clock;
    private volatile boolean away;
    private volatile long failedAt;

    /** Computes one hash, which takes several milliseconds. */
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
        this.verified = new VerifiedPasswords(settings, random, clock);
        this.metrics = new SignInMetrics(registry);
        this.lockouts = new LockoutLog(log, clock::read);
        this.lockout = settings.lockout();
        this.clock = clock;
        this.verifications = new Semaphore(settings.maxConcurrentVerifications());
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

        // A lockout that others caused does not apply to an administrator who signed in recently.
        if (verified.hashVerifiedBy(userName, password) == null) {
            refuseIfLocked(source);
        }
        boolean readsKnownMetrics = shown.getDetails() instanceof RequestDetails details
                && details.isForMetrics()
                && verified.isKnown(userName, password);
        if (readsKnownMetrics && isAway()) {
            return acceptedForMetrics(userName);
        }
        AdminUser user;
        try {
            user = find(userName);
            away = false;
        } catch (StoreUnavailableException failure) {
            failedAt = clock.read();
            away = true;
            if (readsKnownMetrics) {
                return acceptedForMetrics(userName);
            }
            metrics.unavailable.increment();
            throw new AuthenticationServiceException("the store of administrators does not respond", failure);
        }
        if (user != null && wasVerified(user, password)) {
            metrics.remembered.increment();
            return accepted(user, password);
        }
        awaitTurn();
        try {
            return verify(userName, user, password, source, address);
        } finally {
            verifications.release();
        }
    }

    private boolean isAway() {
        return away && clock.read() - failedAt < TimeUnit.SECONDS.toNanos(AWAY_SECONDS);
    }

    private Authentication acceptedForMetrics(String userName) {
        metrics.withoutStore.increment();
        return accepted(userName, AdminRole.VIEWER);
    }

    private Authentication verify(
            String userName, @Nullable AdminUser user, BinaryData password, SignInSource source, String address) {
        // Checked again: during the wait, another guess may have reached the limit, or another request of the same
        // administrator may have succeeded.
        refuseIfLocked(source);
        if (user != null && wasVerified(user, password)) {
            metrics.remembered.increment();
            return accepted(user, password);
        }
        // Also for an unknown name, so that the response time does not reveal which names exist.
        boolean matches = passwordHash.matches(password, user == null ? decoy : user.passwordHash(), source);
        if (user == null || !matches) {
            if (limits.onFailure(source)) {
                lockouts.begin(source, userName, address, lockout);
            }
            metrics.refused.increment();
            verified.onSignIn(userName, password, false);
            throw new BadCredentialsException("wrong user name or password");
        }
        limits.onSuccess(source);
        verified.remember(userName, password, user.passwordHash());
        metrics.accepted.increment();
        return accepted(user, password);
    }

    private boolean wasVerified(AdminUser user, BinaryData password) {
        return user.passwordHash().equals(verified.hashVerifiedBy(user.userName(), password));
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
        return users.find(userName);
    }

    private void awaitTurn() {
        boolean turn;
        try {
            turn = verifications.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new AuthenticationServiceException("the server is stopping", stopping);
        }
        if (!turn) {
            metrics.busy.increment();
            throw new AuthenticationServiceException("too many passwords are being verified");
        }
    }

    private Authentication accepted(AdminUser user, BinaryData password) {
        verified.onSignIn(user.userName(), password, true);
        return accepted(user.userName(), user.role());
    }

    private static Authentication accepted(String userName, AdminRole role) {
        return UsernamePasswordAuthenticationToken.authenticated(
                userName, null, List.of(new SimpleGrantedAuthority("ROLE_" + role)));
    }
}

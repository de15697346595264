package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.StoreUnavailableException;
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
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks an administrator's name and password. Blocks: for virtual threads. Thread-safe.
 *
 * <p>Each request asks the store for the administrator, so that whoever is removed, demoted or given another password feels it
 * at once; only the slow hash is spared for a password verified a moment ago. Bounds: a few verifications at once, the others
 * wait up to {@value #MAX_WAIT_SECONDS} s; with the failures that start a lockout that many guesses more may slip through.
 */
public final class AdministratorAuthentication implements AuthenticationProvider {
    private static final int MAX_WAIT_SECONDS = 5;

    // dependencies
    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final SignInLimits limits;
    private final VerifiedPasswords verified;
    private final SignInMetrics metrics;

    // the process's life
    private final Semaphore verifications;
    private final String decoy;

    /** Computes one hash, which takes milliseconds. */
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
        this.verifications = new Semaphore(settings.maxConcurrentVerifications());
        byte[] nobodysPassword = new byte[32];
        random.nextBytes(nobodysPassword);
        this.decoy = passwordHash.hash(BinaryData.wrap(nobodysPassword));
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

        // A lockout that strangers caused does not throw out who has just signed in.
        if (verified.hashVerifiedBy(userName, password) == null) {
            refuseWhenLimited(source);
        }
        AdminUser user = find(userName);
        if (user != null && wasVerified(user, password)) {
            metrics.remembered.increment();
            return accepted(user);
        }
        awaitTurn();
        try {
            return verify(userName, user, password, source);
        } finally {
            verifications.release();
        }
    }

    private Authentication verify(String userName, @Nullable AdminUser user, BinaryData password, SignInSource source) {
        // Again: while we waited, the same guesser may have reached the limit, or the same console's other request
        // succeeded.
        refuseWhenLimited(source);
        if (user != null && wasVerified(user, password)) {
            metrics.remembered.increment();
            return accepted(user);
        }
        // For an unknown name too, so that the time taken does not tell which names exist.
        boolean matches = passwordHash.matches(password, user == null ? decoy : user.passwordHash(), source);
        if (user == null || !matches) {
            limits.failed(source);
            metrics.refused.increment();
            throw new BadCredentialsException("wrong user name or password");
        }
        limits.succeeded(source);
        verified.remember(userName, password, user.passwordHash());
        metrics.accepted.increment();
        return accepted(user);
    }

    private boolean wasVerified(AdminUser user, BinaryData password) {
        return user.passwordHash().equals(verified.hashVerifiedBy(user.userName(), password));
    }

    private void refuseWhenLimited(SignInSource source) {
        Duration refused = limits.refusedFor(source);
        if (refused != null) {
            metrics.limited.increment();
            throw new SignInLimitedException(refused);
        }
    }

    private @Nullable AdminUser find(String userName) {
        if (userName.isBlank() || userName.length() > AdminUser.MAX_USER_NAME_LENGTH || userName.indexOf('\0') >= 0) {
            // Nobody can have this name, and not every store can be asked for it.
            return null;
        }
        try {
            return users.find(userName);
        } catch (StoreUnavailableException failure) {
            metrics.unavailable.increment();
            throw new AuthenticationServiceException("the store of administrators does not answer", failure);
        }
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

    private static Authentication accepted(AdminUser user) {
        return UsernamePasswordAuthenticationToken.authenticated(
                user.userName(), null, List.of(new SimpleGrantedAuthority("ROLE_" + user.role())));
    }
}

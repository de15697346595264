package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
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
 * <p>Each request reads the administrator from the store, so that removal, demotion and a changed password take effect immediately. Only the
 * slow hash is skipped for a password that matched the same stored hash recently. Bounds: a few verifications run at once; the others wait for
 * up to 5 s, and addresses take turns. As many guesses as run at once may exceed the failures that start a lockout.
 *
 * <p>While the store does not respond, an administrator whom {@link KnownAccounts} remembers may still read the metrics of the node, because
 * monitoring must not be blind then.
 */
public final class AdministratorAuthentication implements AuthenticationProvider {
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    // dependencies
    private final PasswordHash passwordHash;
    private final SignInGuard guard;
    private final SignInMetrics metrics;

    // lifetime: process
    private final KnownAccounts<AdminUser> accounts;
    private final SignInTurns verifications;
    private final String decoy;

    /**
     * Computes one hash, which takes several milliseconds.
     *
     * @param passwordHash remembers matches
     */
    public AdministratorAuthentication(
            AdminUsers users,
            PasswordHash passwordHash,
            SignInGuard guard,
            SignInSettings settings,
            SecureRandom random,
            Ticker clock) {
        this.passwordHash = passwordHash;
        this.guard = guard;
        this.metrics = guard.metrics();
        this.accounts = new KnownAccounts<>(users::find, clock);
        this.verifications = new SignInTurns(
                settings.maxConcurrentVerifications(),
                MAX_WAIT,
                new Limit("seconds of an administrator's wait for a verification", MAX_WAIT.toSeconds()),
                guard::isFailing,
                true,
                clock::read);
        byte[] decoyPassword = new byte[32];
        random.nextBytes(decoyPassword);
        this.decoy = passwordHash.hash(BinaryData.wrap(decoyPassword));
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }

    /** Returns the administrator, with the {@link AdminUser} as details unless only metrics may be read. */
    @Override
    public Authentication authenticate(Authentication shown) {
        String userName = shown.getName();
        String text = shown.getCredentials() instanceof String credentials ? credentials : "";
        BinaryData password = BinaryData.wrap(text.getBytes(UTF_8));
        String address =
                shown.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
        SignInSource source = SignInSource.of(address, userName);

        AdminUser before = accounts.known(userName);
        // A lockout that others caused does not apply to an administrator who signed in recently.
        if (before == null || !passwordHash.isRemembered(password, before.passwordHash())) {
            guard.refuseIfLocked(source);
        }
        boolean isForMetrics = shown.getDetails() instanceof RequestDetails details && details.isForMetrics();
        AdminUser user;
        try {
            user = isName(userName) ? accounts.find(userName, isForMetrics) : null;
        } catch (StoreUnavailableException failure) {
            if (isForMetrics && before != null) {
                return readMetrics(before, password, source, address, failure);
            }
            throw guard.unavailable(failure);
        }
        if (user == null || (before != null && !before.passwordHash().equals(user.passwordHash()))) {
            accounts.forget(userName);
        }
        if (user != null && passwordHash.isRemembered(password, user.passwordHash())) {
            metrics.remembered.increment();
            return accepted(user);
        }
        try (SignInTurns.Turn _ = awaitTurn(source)) {
            return verify(userName, user, password, source, address);
        }
    }

    /** Signs an administrator in whom the store knew at the latest sign-in. */
    private Authentication readMetrics(
            AdminUser before,
            BinaryData password,
            SignInSource source,
            String address,
            StoreUnavailableException failure) {
        if (!passwordHash.isRemembered(password, before.passwordHash())) {
            try (SignInTurns.Turn _ = awaitTurn(source)) {
                guard.refuseIfLocked(source);
                if (!passwordHash.matches(password, before.passwordHash(), source)) {
                    guard.onFailure(source, before.userName(), address);
                    throw guard.unavailable(failure);
                }
            }
        }
        metrics.withoutStore.increment();
        return accepted(before.userName(), AdminRole.VIEWER);
    }

    private Authentication verify(
            String userName, @Nullable AdminUser user, BinaryData password, SignInSource source, String address) {
        // Checked again: during the wait, another guess may have reached the limit, or another request of the same
        // administrator may have succeeded.
        guard.refuseIfLocked(source);
        if (user != null && passwordHash.isRemembered(password, user.passwordHash())) {
            metrics.remembered.increment();
            return accepted(user);
        }
        // Also for an unknown name, so that the response time does not reveal which names exist.
        boolean matches = passwordHash.matches(password, user == null ? decoy : user.passwordHash(), source);
        if (user == null || !matches) {
            guard.onFailure(source, userName, address);
            metrics.refused.increment();
            throw new BadCredentialsException("wrong user name or password");
        }
        guard.onSuccess(source);
        metrics.accepted.increment();
        return accepted(user);
    }

    /** No administrator can have another name, and not every store accepts it in a query. */
    private static boolean isName(String text) {
        return !text.isBlank() && text.length() <= AdminUser.MAX_USER_NAME_LENGTH && text.indexOf('\0') < 0;
    }

    /** Returns how many requests wait for a verification. */
    int waiting() {
        return verifications.waiting();
    }

    private SignInTurns.Turn awaitTurn(SignInSource source) {
        try {
            return verifications.begin(source);
        } catch (SignInBusyException busy) {
            metrics.busy.increment();
            throw new AuthenticationServiceException("too many passwords are being verified", busy);
        }
    }

    private Authentication accepted(AdminUser user) {
        accounts.remember(user.userName(), user);
        UsernamePasswordAuthenticationToken accepted = accepted(user.userName(), user.role());
        accepted.setDetails(user);
        return accepted;
    }

    private static UsernamePasswordAuthenticationToken accepted(String userName, AdminRole role) {
        return UsernamePasswordAuthenticationToken.authenticated(
                userName, null, List.of(new SimpleGrantedAuthority("ROLE_" + role)));
    }
}

package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import io.heddle.core.administration.ApiKeys;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.authentication.fairness.SignInTurns;
import io.micrometer.core.instrument.Counter;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * Checks the token of an API key. Blocks, so callers use virtual threads. Thread-safe.
 *
 * <p>Each request reads the key from the store, so that removal takes effect immediately. Wrong, unknown and expired keys count as failures of
 * sign-ins. A lockout never refuses a right key: while one lasts, the keys of such sources are looked up one at a time, so that guesses
 * take no more than one connection to the store, and the wrong ones are refused as limited. Networks take turns. Bound: a key waits for up to
 * {@value #MAX_WAIT_SECONDS} s.
 *
 * <p>While the store does not respond, a key that {@link KnownAccounts} remembers may still read the metrics of the node.
 */
public final class ApiKeyAuthentication implements AuthenticationManager {
    /** The role that all keys have, besides that of their scope. */
    static final String KEY = "API_KEY";

    /** Begins the names of keys where those of administrators may be, which have no colon. */
    private static final String PREFIX = "key:";

    private static final String SCHEME = "Bearer ";
    private static final int MAX_WAIT_SECONDS = 5;

    private final SignInGuard guard;
    private final SignInMetrics metrics;
    private final KnownAccounts<ApiKey> accounts;
    private final InstantSource time;
    private final SignInTurns lockedTurns;

    /**
     * @param time decides which keys have expired
     * @param clock measures durations
     */
    public ApiKeyAuthentication(ApiKeys keys, SignInGuard guard, InstantSource time, Ticker clock) {
        this.guard = guard;
        this.metrics = guard.metrics();
        this.accounts = new KnownAccounts<>(keys::find, clock);
        this.time = time;
        this.lockedTurns = new SignInTurns(
                1,
                Duration.ofSeconds(MAX_WAIT_SECONDS),
                new Limit("seconds of an API key's wait for its lookup", MAX_WAIT_SECONDS),
                guard::isFailing,
                false,
                clock::read);
    }

    /** Returns what a request shows to sign in with a key, or null if it shows none. */
    static @Nullable Authentication shown(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        UsernamePasswordAuthenticationToken shown = UsernamePasswordAuthenticationToken.unauthenticated(
                "", header.substring(SCHEME.length()).strip());
        shown.setDetails(RequestDetails.of(request));
        return shown;
    }

    @Override
    public Authentication authenticate(Authentication shown) {
        ApiKeyToken token = ApiKeyToken.parse(String.valueOf(shown.getCredentials()));
        String name = PREFIX + (token == null ? "" : token.name());
        String address =
                shown.getDetails() instanceof WebAuthenticationDetails details ? details.getRemoteAddress() : "";
        boolean isForMetrics = shown.getDetails() instanceof RequestDetails details && details.isForMetrics();
        SignInSource source = SignInSource.of(address, name);
        ApiKey key = null;
        if (token != null) {
            try {
                key = guard.isLocked(source) ? findInTurn(token, source, isForMetrics) : find(token, isForMetrics);
            } catch (StoreUnavailableException failure) {
                return readMetrics(token, isForMetrics, failure);
            }
        }
        if (token == null || key == null || !token.proves(key)) {
            throw refused(source, name, address, metrics.refused);
        }
        if (key.isExpired(time.instant())) {
            throw refused(source, name, address, metrics.expiredKey);
        }
        accounts.remember(key.name(), key);
        guard.onSuccess(source);
        metrics.acceptedKey.increment();
        return accepted(key, key.role());
    }

    private @Nullable ApiKey findInTurn(ApiKeyToken token, SignInSource source, boolean isForMetrics) {
        try (SignInTurns.Turn _ = lockedTurns.begin(source)) {
            return find(token, isForMetrics);
        } catch (SignInBusyException busy) {
            metrics.busy.increment();
            throw new AuthenticationServiceException("too many API keys of locked sources are being checked", busy);
        }
    }

    /** Returns how many requests wait for their turn. */
    int waiting() {
        return lockedTurns.waiting();
    }

    private @Nullable ApiKey find(ApiKeyToken token, boolean isForMetrics) {
        ApiKey key = accounts.find(token.name(), isForMetrics);
        ApiKey before = accounts.known(token.name());
        if (before != null && !before.equals(key)) {
            accounts.forget(token.name());
        }
        return key;
    }

    private BadCredentialsException refused(SignInSource source, String name, String address, Counter reason) {
        guard.refuseIfLocked(source);
        guard.onFailure(source, name, address);
        reason.increment();
        return new BadCredentialsException("wrong or expired API key");
    }

    /** Signs a key in that the store knew at the latest sign-in. */
    private Authentication readMetrics(ApiKeyToken token, boolean isForMetrics, StoreUnavailableException failure) {
        ApiKey before = accounts.known(token.name());
        if (!isForMetrics || before == null || !token.proves(before) || before.isExpired(time.instant())) {
            throw guard.unavailable(failure);
        }
        metrics.withoutStore.increment();
        return accepted(before, AdminRole.VIEWER);
    }

    private static Authentication accepted(ApiKey key, AdminRole role) {
        UsernamePasswordAuthenticationToken signedIn = UsernamePasswordAuthenticationToken.authenticated(
                PREFIX + key.name(),
                null,
                List.of(new SimpleGrantedAuthority("ROLE_" + role), new SimpleGrantedAuthority("ROLE_" + KEY)));
        signedIn.setDetails(key);
        return signedIn;
    }
}

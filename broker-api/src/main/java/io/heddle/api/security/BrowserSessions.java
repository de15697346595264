package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.Limit;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessionToken;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.authentication.fairness.SignInTurns;
import java.security.Principal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/**
 * Opens, finds and ends the sessions of administrators in browsers. Blocks, so callers use virtual threads. Thread-safe.
 *
 * <p>Each request reads the session and its administrator from the stores, so that the end of a session, removal, another role and a changed
 * password take effect immediately on all nodes. A session has the role that its administrator has now, and ends with the password that opened it.
 *
 * <p>While the stores do not respond, a session that {@link KnownAccounts} remembers may still read the metrics of the node. Bound: {@value
 * #MAX_UNKNOWN} tokens that this node does not know are looked up at once, so that guesses take no more connections to the store; others
 * wait for up to {@value #MAX_WAIT_SECONDS} s, and addresses take turns.
 */
public final class BrowserSessions {
    private static final Duration USE_INTERVAL = Duration.ofMinutes(1);
    private static final int MAX_UNKNOWN = 2;
    private static final int MAX_WAIT_SECONDS = 5;

    // dependencies
    private final AdminUsers users;
    private final AdminSessions sessions;
    private final SessionSettings settings;
    private final SignInGuard guard;
    private final SignInMetrics metrics;
    private final SecureRandom random;
    private final InstantSource time;

    // lifetime: process
    /** By the hashes of their tokens. */
    private final KnownAccounts<Account> accounts;

    private final SignInTurns unknownTurns;

    private record Account(AdminSession session, AdminUser user) {}

    /**
     * @param time decides which sessions have expired
     * @param clock measures durations
     */
    public BrowserSessions(
            AdminUsers users,
            AdminSessions sessions,
            SessionSettings settings,
            SignInGuard guard,
            SecureRandom random,
            InstantSource time,
            Ticker clock) {
        this.users = users;
        this.sessions = sessions;
        this.settings = settings;
        this.guard = guard;
        this.metrics = guard.metrics();
        this.random = random;
        this.time = time;
        this.accounts = new KnownAccounts<>(this::read, clock);
        this.unknownTurns = new SignInTurns(
                MAX_UNKNOWN,
                Duration.ofSeconds(MAX_WAIT_SECONDS),
                new Limit("seconds of a session's wait for its lookup", MAX_WAIT_SECONDS),
                guard::isFailing,
                false,
                clock::read);
    }

    /** Opens a session of an administrator whose password was right. */
    AdminSessionToken open(AdminUser user, String address) {
        AdminSessionToken token = AdminSessionToken.draw(random);
        Instant now = now();
        AdminSession session = new AdminSession(
                UUID.randomUUID(),
                token.hash(),
                user.userName(),
                AdminSession.account(user),
                address,
                now,
                now,
                now.plus(settings.maxAge()));
        sessions.create(session, now.minus(settings.idleTimeout()));
        accounts.remember(session.tokenHash(), new Account(session, user));
        return token;
    }

    /**
     * Signs in with a session, and stores its use.
     *
     * @param address of the browser, as the server reports it
     * @return the administrator, with the session as details; null if the session has ended
     * @throws AuthenticationServiceException if the store does not respond
     */
    @Nullable
    Authentication find(AdminSessionToken token, String address, boolean isForMetrics) {
        String hash = token.hash();
        Account before = accounts.known(hash);
        Instant now = now();
        Account found;
        try {
            found = before == null ? findInTurn(hash, address, isForMetrics) : accounts.find(hash, isForMetrics);
            if (found != null && !isForMetrics) {
                found = used(found, now);
            }
        } catch (StoreUnavailableException failure) {
            if (!isForMetrics || before == null || isOver(before.session(), now)) {
                throw guard.unavailable(failure);
            }
            metrics.withoutStore.increment();
            return accepted(before.session(), AdminRole.VIEWER);
        }
        if (found == null || isOver(found.session(), now)) {
            accounts.forget(hash);
            metrics.endedSession.increment();
            return null;
        }
        accounts.remember(hash, found);
        metrics.acceptedSession.increment();
        return accepted(found.session(), found.user().role());
    }

    private @Nullable Account findInTurn(String hash, String address, boolean isForMetrics) {
        try (SignInTurns.Turn _ = unknownTurns.begin(SignInSource.of(address, hash))) {
            return accounts.find(hash, isForMetrics);
        } catch (SignInBusyException busy) {
            metrics.busy.increment();
            throw new AuthenticationServiceException("too many unknown sessions are being looked up", busy);
        }
    }

    /** Returns how many requests wait for their turn. */
    int waiting() {
        return unknownTurns.waiting();
    }

    /**
     * Returns the role that the administrator of a session has now, or null if the session has ended.
     *
     * @throws StoreUnavailableException if the store does not respond
     */
    @Nullable
    AdminRole role(AdminSession session) {
        Account found = read(session.tokenHash());
        return found == null || isOver(found.session(), now())
                ? null
                : found.user().role();
    }

    private @Nullable Account read(String tokenHash) {
        AdminSession session = sessions.find(tokenHash);
        AdminUser user = session == null ? null : users.find(session.userName());
        return session == null || user == null || !isOf(session, user) ? null : new Account(session, user);
    }

    private static boolean isOf(AdminSession session, AdminUser user) {
        return session.account().equals(AdminSession.account(user));
    }

    private boolean isOver(AdminSession session, Instant now) {
        return !now.isBefore(session.expiresAt())
                || session.lastUsedAt().plus(settings.idleTimeout()).isBefore(now);
    }

    private Account used(Account account, Instant now) {
        AdminSession session = account.session();
        if (isOver(session, now) || now.isBefore(session.lastUsedAt().plus(USE_INTERVAL))) {
            return account;
        }
        sessions.use(session.id(), now);
        return new Account(session.usedAt(now), account.user());
    }

    /** In milliseconds, as the store keeps it. */
    private Instant now() {
        return time.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    void end(AdminSessionToken token) {
        String hash = token.hash();
        AdminSession session = sessions.find(hash);
        if (session != null) {
            sessions.remove(session.userName(), session.id());
        }
        accounts.forget(hash);
    }

    /** Returns the session of the request of a principal, or null if the request has none. */
    public static @Nullable AdminSession current(Principal administrator) {
        return administrator instanceof Authentication signedIn && signedIn.getDetails() instanceof AdminSession session
                ? session
                : null;
    }

    /** Returns the sessions of an administrator that have not ended, latest first. */
    public List<AdminSession> list(String userName) {
        AdminUser user = users.find(userName);
        Instant now = now();
        return user == null
                ? List.of()
                : sessions.list(userName).stream()
                        .filter(each -> isOf(each, user) && !isOver(each, now))
                        .toList();
    }

    /** Ends a session of an administrator, if it exists. */
    public void end(String userName, UUID id) {
        sessions.remove(userName, id);
    }

    /** Ends all sessions of an administrator but one, or all if that is null. */
    public void endOthers(String userName, @Nullable AdminSession kept) {
        sessions.removeAll(userName, kept == null ? null : kept.id());
    }

    private static Authentication accepted(AdminSession session, AdminRole role) {
        UsernamePasswordAuthenticationToken signedIn = UsernamePasswordAuthenticationToken.authenticated(
                session.userName(), null, List.of(new SimpleGrantedAuthority("ROLE_" + role)));
        signedIn.setDetails(session);
        return signedIn;
    }
}

package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.authentication.SignInSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Slows down guessing: counts failures per user name and per remote address. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ENTRIES} names and as many addresses; beyond it those seen least are forgotten first, and who floods
 * one of the two is held by the other. A whole IPv6 /64 counts as one address, since one customer has that many. Behind a
 * proxy the address is the proxy's, unless the server is told to trust its forwarding headers.
 *
 * <p>States of an entry: counting (the window began with its first failure), refusing (the lockout began with the failure that
 * reached the limit), forgotten.
 */
final class SignInLimits {
    static final int MAX_ENTRIES = 10_000;

    private final int maxFailures;
    private final long windowNanos;
    private final long lockoutNanos;
    private final Ticker clock;
    private final Cache<String, Failures> byName;
    private final Cache<String, Failures> byAddress;

    private record Failures(int count, long sinceNanos) {}

    SignInLimits(SignInSettings settings, Ticker clock) {
        this.maxFailures = settings.maxFailures();
        this.windowNanos = settings.failureWindow().toNanos();
        this.lockoutNanos = settings.lockout().toNanos();
        this.clock = clock;
        Duration longest = Duration.ofNanos(Math.max(windowNanos, lockoutNanos));
        this.byName = cache(longest);
        this.byAddress = cache(longest);
    }

    private Cache<String, Failures> cache(Duration longest) {
        return Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(longest)
                .ticker(clock)
                .executor(Runnable::run)
                .build();
    }

    /** How long attempts for this name or from this address are refused yet; null when they are not. */
    @Nullable
    Duration refusedFor(SignInSource source) {
        long now = clock.read();
        long nanos = Math.max(
                remaining(byName.getIfPresent(source.name()), now),
                remaining(byAddress.getIfPresent(source.network()), now));
        return nanos > 0 ? Duration.ofNanos(nanos) : null;
    }

    /** Counts a wrong password or an unknown name. */
    void failed(SignInSource source) {
        long now = clock.read();
        count(byName, source.name(), now);
        count(byAddress, source.network(), now);
    }

    /** Forgets a name's failures. The address's stay: an account of one's own does not pay for guessing others'. */
    void succeeded(SignInSource source) {
        byName.invalidate(source.name());
    }

    private long remaining(@Nullable Failures failures, long now) {
        if (failures == null || failures.count < maxFailures) {
            return 0;
        }
        return failures.sinceNanos + lockoutNanos - now;
    }

    private void count(Cache<String, Failures> failures, String key, long now) {
        failures.asMap().compute(key, (k, before) -> {
            if (before == null || isOver(before, now)) {
                return new Failures(1, now);
            }
            int count = before.count + 1;
            // Reaching the limit starts the lockout; attempts already under way then neither prolong nor shorten it.
            return new Failures(count, count == maxFailures ? now : before.sinceNanos);
        });
    }

    private boolean isOver(Failures failures, long now) {
        long length = failures.count < maxFailures ? windowNanos : lockoutNanos;
        return now - failures.sinceNanos >= length;
    }
}

package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.authentication.SignInSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits of password guessing: counts failures by user name and by remote address. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ENTRIES} names and as many addresses. Beyond that, the least used are evicted; an attacker who floods the names is
 * still limited by the address, and vice versa. An IPv6 /64 counts as one address, because one customer owns all of it. Behind a proxy the
 * address is that of the proxy, unless the server trusts its forwarding headers.
 *
 * <p>States of an entry: counting (from the first failure to the end of the window), locked (from the failure that reached the limit to the end
 * of the lockout), forgotten.
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

    /** Returns the remaining lockout of this name or address, or null if there is none. */
    @Nullable
    Duration remainingLockout(SignInSource source) {
        long now = clock.read();
        long nanos = Math.max(
                remaining(byName.getIfPresent(source.name()), now),
                remaining(byAddress.getIfPresent(source.network()), now));
        return nanos > 0 ? Duration.ofNanos(nanos) : null;
    }

    /**
     * Counts a wrong password or an unknown name.
     *
     * @return whether this failure begins a lockout of the name or of the address
     */
    boolean onFailure(SignInSource source) {
        long now = clock.read();
        boolean locksName = count(byName, source.name(), now);
        return count(byAddress, source.network(), now) || locksName;
    }

    /** Resets the failures of the name, but not of the address: otherwise an attacker with an account could reset them while guessing others. */
    void onSuccess(SignInSource source) {
        byName.invalidate(source.name());
    }

    private long remaining(@Nullable Failures failures, long now) {
        if (failures == null || failures.count < maxFailures) {
            return 0;
        }
        return failures.sinceNanos + lockoutNanos - now;
    }

    private boolean count(Cache<String, Failures> failures, String key, long now) {
        Failures counted = failures.asMap().compute(key, (_, before) -> {
            if (before == null || isOver(before, now)) {
                return new Failures(1, now);
            }
            int count = before.count + 1;
            // The failure that reaches the limit starts the lockout; concurrent ones neither prolong nor shorten it.
            return new Failures(count, count == maxFailures ? now : before.sinceNanos);
        });
        return counted != null && counted.count == maxFailures;
    }

    private boolean isOver(Failures failures, long now) {
        long length = failures.count < maxFailures ? windowNanos : lockoutNanos;
        return now - failures.sinceNanos >= length;
    }
}

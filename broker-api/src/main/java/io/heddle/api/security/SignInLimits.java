package io.heddle.api.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.authentication.fairness.SignInSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Limits of password guessing. Counts failures of a name from an address, and with much higher limits those from one address and those of one
 * name, so that a stranger does not lock out an administrator at another address. Thread-safe.
 *
 * <p>The limit of a name bounds a guesser with many addresses. It does not apply to an address from which this name has signed in within a
 * day. Bounds: {@value #MAX_ENTRIES} entries of each kind. Beyond that, the least used are evicted; an attacker who floods one kind is still
 * limited by the others. An IPv6 /64 counts as one address, because one customer owns all of it. Behind a proxy the address is that of the
 * proxy, unless the server trusts its forwarding headers.
 *
 * <p>States of an entry: counting (from the first failure to the end of the window), locked (from the failure that reached the limit to the end
 * of the lockout), forgotten.
 */
final class SignInLimits {
    static final int MAX_ENTRIES = 10_000;

    /** An address may fail this many times as often as a name from one address, whatever names it tries. */
    static final int ADDRESS_FACTOR = 10;
    /** A name may fail this many times as often as from one address, whatever addresses try it. */
    static final int NAME_FACTOR = 100;

    /** More than a person who mistypes a password. */
    private static final int FAILING = 5;

    private static final Duration KNOWN_FOR = Duration.ofDays(1);

    private final long windowNanos;
    private final long lockoutNanos;
    private final Ticker clock;
    private final Counter<Pair> pairs;
    private final Counter<String> addresses;
    private final Counter<String> names;
    private final Cache<Pair, Boolean> known;

    private record Pair(String name, String network) {
        static Pair of(SignInSource source) {
            return new Pair(source.name(), source.network());
        }
    }

    private record Failures(int count, long sinceNanos) {}

    /**
     * A lockout that has not ended.
     *
     * @param name null if all names at the network are locked
     * @param network null if the name is locked at all networks where it has not signed in lately
     */
    record Lockout(@Nullable String name, @Nullable String network, long failures, Duration remaining) {}

    SignInLimits(SignInSettings settings, Ticker clock) {
        this.windowNanos = settings.failureWindow().toNanos();
        this.lockoutNanos = settings.lockout().toNanos();
        this.clock = clock;
        this.pairs = new Counter<>(settings.maxFailures());
        this.addresses = new Counter<>((long) ADDRESS_FACTOR * settings.maxFailures());
        this.names = new Counter<>((long) NAME_FACTOR * settings.maxFailures());
        this.known = cache(KNOWN_FOR);
    }

    private <K, V> Cache<K, V> cache(Duration longest) {
        return Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(longest)
                .ticker(clock)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the remaining lockout of this source, or null if there is none. */
    @Nullable
    Duration remainingLockout(SignInSource source) {
        long now = clock.read();
        Pair pair = Pair.of(source);
        long nanos = Math.max(pairs.remaining(pair, now), addresses.remaining(source.network(), now));
        if (known.getIfPresent(pair) == null) {
            nanos = Math.max(nanos, names.remaining(source.name(), now));
        }
        return nanos > 0 ? Duration.ofNanos(nanos) : null;
    }

    /** Returns whether an address has recent failures, of whatever name, and thus waits longer for verifications while others wait. */
    boolean isFailing(String network) {
        Failures counted = addresses.failures.getIfPresent(network);
        return counted != null && counted.count >= FAILING;
    }

    /**
     * Counts a wrong password or an unknown name.
     *
     * @return whether this failure begins a lockout
     */
    boolean onFailure(SignInSource source) {
        long now = clock.read();
        boolean locksPair = pairs.count(Pair.of(source), now);
        boolean locksAddress = addresses.count(source.network(), now);
        return names.count(source.name(), now) || locksPair || locksAddress;
    }

    /**
     * Resets the failures of the name from this address, but not of the address or the name: otherwise an attacker with an account could
     * reset them while guessing others, or guess while the administrator signs in.
     */
    void onSuccess(SignInSource source) {
        Pair pair = Pair.of(source);
        pairs.failures.invalidate(pair);
        known.put(pair, Boolean.TRUE);
    }

    /** Returns the lockouts that have not ended. */
    List<Lockout> lockouts() {
        List<Lockout> found = new ArrayList<>();
        pairs.locked((pair, count, left) -> found.add(new Lockout(pair.name, pair.network, count, left)));
        addresses.locked((network, count, left) -> found.add(new Lockout(null, network, count, left)));
        names.locked((name, count, left) -> found.add(new Lockout(name, null, count, left)));
        return found;
    }

    /** Forgets the failures that have led to a lockout. */
    void lift(Lockout lockout) {
        String name = lockout.name;
        String network = lockout.network;
        if (name != null && network != null) {
            pairs.failures.invalidate(new Pair(name, network));
        } else if (network != null) {
            addresses.failures.invalidate(network);
        } else if (name != null) {
            names.failures.invalidate(name);
        }
    }

    @FunctionalInterface
    private interface LockedKeys<K> {
        void add(K key, long failures, Duration remaining);
    }

    /** The failures of one kind of key. */
    private final class Counter<K> {
        private final Cache<K, Failures> failures = cache(Duration.ofNanos(Math.max(windowNanos, lockoutNanos)));
        private final long limit;

        Counter(long limit) {
            this.limit = limit;
        }

        long remaining(K key, long now) {
            Failures counted = failures.getIfPresent(key);
            return counted == null || counted.count < limit ? 0 : counted.sinceNanos + lockoutNanos - now;
        }

        void locked(LockedKeys<K> receiver) {
            long now = clock.read();
            failures.asMap().forEach((key, counted) -> {
                long left = remaining(key, now);
                if (left > 0) {
                    receiver.add(key, counted.count, Duration.ofNanos(left));
                }
            });
        }

        /** Returns whether this failure begins a lockout. */
        boolean count(K key, long now) {
            Failures counted = failures.asMap().compute(key, (_, before) -> {
                if (before == null || isOver(before, now)) {
                    return new Failures(1, now);
                }
                int count = before.count + 1;
                // The failure that reaches the limit starts the lockout; concurrent ones neither prolong nor shorten
                // it.
                return new Failures(count, count == limit ? now : before.sinceNanos);
            });
            return counted != null && counted.count == limit;
        }

        private boolean isOver(Failures before, long now) {
            long length = before.count < limit ? windowNanos : lockoutNanos;
            return now - before.sinceNanos >= length;
        }
    }
}

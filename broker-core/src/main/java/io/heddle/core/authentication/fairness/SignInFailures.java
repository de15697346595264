package io.heddle.core.authentication.fairness;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts recent sign-in failures by network and by name. Each failure doubles the delay of the next refusal, and a network with
 * several failures gets lower priority while passwords wait for verification. Failures never reject a correct password.
 * Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ENTRIES} networks and as many names; beyond that, the one with the oldest last failure is evicted. An
 * entry expires some time after its last failure. A successful sign-in clears the name but not the network, so that an attacker
 * cannot use an account of its own to reset the count.
 */
public final class SignInFailures {
    static final int MAX_ENTRIES = 10_000;

    /** The failures that make a network or name failing: high enough that a person who mistypes a password a few times does not affect the network. */
    public static final int FAILING = 5;

    private static final int MOST_DOUBLINGS = 30;

    private final Duration firstDelay;
    private final Duration maximumDelay;
    private final long windowNanos;
    private final LongSupplier nanoTime;
    private final Recent networks = new Recent();
    private final Recent names = new Recent();

    private record Failures(int count, long lastNanos) {}

    /** Counts by key, the latest failure last; guarded by the outer object. */
    private static final class Recent extends LinkedHashMap<String, Failures> {
        private static final long serialVersionUID = 1L;

        void add(String key, int count, long now) {
            putLast(key, new Failures(count, now));
            if (size() > MAX_ENTRIES) {
                pollFirstEntry();
            }
        }
    }

    /**
     * Creates empty counts.
     *
     * @param firstDelay the delay of the first refusal; it doubles with each further one
     * @param maximumDelay the longest delay; zero disables delays
     * @param window the time after the last failure at which an entry expires
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public SignInFailures(Duration firstDelay, Duration maximumDelay, Duration window, LongSupplier nanoTime) {
        this.firstDelay = firstDelay;
        this.maximumDelay = maximumDelay;
        this.windowNanos = window.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Counts a wrong password or an unknown name. */
    public synchronized void recordFailure(SignInSource source) {
        long now = nanoTime.getAsLong();
        networks.add(source.network(), count(networks, source.network(), now) + 1, now);
        names.add(source.name(), count(names, source.name(), now) + 1, now);
    }

    /** Clears the failures of a name. */
    public synchronized void recordSuccess(SignInSource source) {
        names.remove(source.name());
    }

    /** Returns whether the network or the name of an attempt has several recent failures. */
    public synchronized boolean isFailing(SignInSource source) {
        long now = nanoTime.getAsLong();
        return count(networks, source.network(), now) >= FAILING || count(names, source.name(), now) >= FAILING;
    }

    /** Returns whether a network has several recent failures. */
    public synchronized boolean isFailing(String network) {
        return count(networks, network, nanoTime.getAsLong()) >= FAILING;
    }

    public synchronized Duration delay(SignInSource source) {
        long now = nanoTime.getAsLong();
        int failures = Math.max(count(networks, source.network(), now), count(names, source.name(), now));
        if (failures == 0) {
            return Duration.ZERO;
        }
        Duration delay = firstDelay.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        return delay.compareTo(maximumDelay) < 0 ? delay : maximumDelay;
    }

    private int count(Recent recent, String key, long now) {
        @Nullable Failures failures = recent.get(key);
        return failures == null || now - failures.lastNanos >= windowNanos ? 0 : failures.count;
    }
}

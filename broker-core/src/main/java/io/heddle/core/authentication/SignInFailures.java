package io.heddle.core.authentication;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the recent failures of each network and of each name: a refusal is delayed the longer, the more there were, and a network
 * with several of them yields to the others while passwords wait to be checked. Failures never keep the right password out. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ENTRIES} networks and as many names; above it the one whose last failure is the oldest is forgotten. Each is
 * forgotten when it did not fail for a while, a name also when it succeeds. A network does not: an account of one's own does not pay for
 * guesses at others'.
 */
public final class SignInFailures {
    static final int MAX_ENTRIES = 10_000;

    /** A person who mistypes a password a few times does not make a network a suspect. */
    static final int FAILING = 5;

    private static final int MOST_DOUBLINGS = 30;

    private final Duration firstDelay;
    private final Duration maximumDelay;
    private final long windowNanos;
    private final LongSupplier nanoTime;
    private final Recent networks = new Recent();
    private final Recent names = new Recent();

    private record Failures(int count, long lastNanos) {}

    /** Counts by key, the one that failed last at the end; guarded by the outer object. */
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
     * Nothing has failed yet.
     *
     * @param firstDelay how long the first refusal is delayed; each further one twice as long
     * @param maximumDelay the longest delay; zero turns delays off
     * @param window how long after its last failure a network or a name is forgotten
     * @param nanoTime System.nanoTime or a test's
     */
    public SignInFailures(Duration firstDelay, Duration maximumDelay, Duration window, LongSupplier nanoTime) {
        this.firstDelay = firstDelay;
        this.maximumDelay = maximumDelay;
        this.windowNanos = window.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Counts a wrong password or an unknown name. */
    synchronized void failed(SignInSource source) {
        long now = nanoTime.getAsLong();
        networks.add(source.network(), count(networks, source.network(), now) + 1, now);
        names.add(source.name(), count(names, source.name(), now) + 1, now);
    }

    /** Forgets the failures of a name. */
    synchronized void succeeded(SignInSource source) {
        names.remove(source.name());
    }

    /** Whether a network failed several times lately. */
    synchronized boolean isFailing(String network) {
        return count(networks, network, nanoTime.getAsLong()) >= FAILING;
    }

    /** How long a refusal is held back. */
    synchronized Duration delay(SignInSource source) {
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

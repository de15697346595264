package io.heddle.core.authentication.fairness;

import io.heddle.core.Limit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many clients connect in a second: all of them, and those of each network. What was not used within {@value #BURST_SECONDS} s may be
 * used at once. Thread-safe. Bound: {@value #MAXIMUM_NETWORKS} networks; beyond that, the one that has connected least recently is forgotten.
 */
public final class ConnectRates {
    static final int BURST_SECONDS = 10;
    static final int MAXIMUM_NETWORKS = 10_000;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Limit ofNode;
    private final Limit ofNetwork;
    private final LongSupplier nanoTime;
    // Guarded by this: when the clients so far would have connected at the limit.
    private long nodeNanos;
    private final LinkedHashMap<String, Long> networkNanos = new LinkedHashMap<>();

    /**
     * Creates limits that nobody has used.
     *
     * @param ofNode clients in a second, and the setting; 0 for no limit
     * @param ofNetwork the same for an IPv4 address or an IPv6 /64
     * @param nanoTime the monotonic clock, in nanoseconds
     */
    public ConnectRates(Limit ofNode, Limit ofNetwork, LongSupplier nanoTime) {
        this.ofNode = ofNode;
        this.ofNetwork = ofNetwork;
        this.nanoTime = nanoTime;
        this.nodeNanos = nanoTime.getAsLong() - BURST_SECONDS * SECOND;
    }

    /** Returns limits that nobody exceeds. */
    public static ConnectRates unlimited() {
        return new ConnectRates(new Limit("", 0), new Limit("", 0), () -> 0);
    }

    /** Counts a client that connects from a network; returns the limit that it exceeds, or null. Refused ones do not count. */
    public @Nullable Limit exceeded(String network) {
        if (ofNode.value() == 0 && ofNetwork.value() == 0) {
            return null;
        }
        long now = nanoTime.getAsLong();
        synchronized (this) {
            long unused = now - BURST_SECONDS * SECOND;
            long before = networkNanos.getOrDefault(network, unused);
            long next = next(before, unused, ofNetwork);
            if (next - now > 0) {
                return ofNetwork;
            }
            long nextOfNode = next(nodeNanos, unused, ofNode);
            if (nextOfNode - now > 0) {
                return ofNode;
            }
            nodeNanos = nextOfNode;
            if (ofNetwork.value() > 0) {
                networkNanos.putLast(network, next);
                if (networkNanos.size() > MAXIMUM_NETWORKS) {
                    networkNanos.pollFirstEntry();
                }
            }
            return null;
        }
    }

    private static long next(long before, long unused, Limit limit) {
        return limit.value() == 0 ? unused : Math.max(before - unused, 0) + unused + SECOND / limit.value();
    }
}

package io.heddle.core.authentication.fairness;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the clients with a pending authentication, with a limit that no single network can exhaust. A network may have at most
 * as many pending clients as there are free places, and a name at most as many as its network may still get. So one network fills
 * at most half of the places, a second one half of the rest, and freed places go to networks with few pending clients. The same
 * applies to the names within a network, where many clients may share a proxy. Thread-safe: one lock, held for a count.
 */
public final class PendingSignIns {
    private final int maximum;
    private final Map<String, Network> networks = new HashMap<>();
    private int total;

    private static final class Network {
        final Map<String, Integer> names = new HashMap<>();
        int total;
    }

    /** @param maximum the number of pending clients of all networks */
    public PendingSignIns(int maximum) {
        this.maximum = maximum;
    }

    /** Adds a pending client; returns false if its network or its name already has too many. */
    public synchronized boolean enter(SignInSource source) {
        Network network = networks.get(source.network());
        int ofNetwork = network == null ? 0 : network.total;
        int leftForNetwork = maximum - total - ofNetwork;
        int ofName = network == null ? 0 : network.names.getOrDefault(source.name(), 0);
        if (leftForNetwork <= 0 || leftForNetwork <= ofName) {
            return false;
        }
        if (network == null) {
            network = new Network();
            networks.put(source.network(), network);
        }
        network.names.put(source.name(), ofName + 1);
        network.total++;
        total++;
        return true;
    }

    /** Removes a pending client after the decision. */
    public synchronized void leave(SignInSource source) {
        Network network = networks.get(source.network());
        if (network == null) {
            throw new IllegalStateException("no pending sign-in of network " + source.network());
        }
        network.names.computeIfPresent(source.name(), (_, count) -> count == 1 ? null : count - 1);
        if (--network.total == 0) {
            networks.remove(source.network());
        }
        total--;
    }

    public synchronized int count() {
        return total;
    }
}

package io.heddle.core.authentication;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the clients whose authentication is not decided, with a bound that no network uses up: a network may have at most as many as
 * there are free places left, and a name at most as many as its network may still get. So one network fills at most half of the places, a
 * second one half of the rest, and places that become free go to networks that have few. The same holds for the names within a network,
 * where many clients may be behind one proxy. Thread-safe: one lock, held for a count.
 */
final class PendingSignIns {
    private final int maximum;
    private final Map<String, Network> networks = new HashMap<>();
    private int total;

    /** The clients of one network that are pending. */
    private static final class Network {
        final Map<String, Integer> names = new HashMap<>();
        int total;
    }

    PendingSignIns(int maximum) {
        this.maximum = maximum;
    }

    /** Counts a client that begins; false when its network or its name has too many already. */
    synchronized boolean enter(SignInSource source) {
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

    /** Counts a client that was let in as decided. */
    synchronized void leave(SignInSource source) {
        Network network = networks.get(source.network());
        if (network == null) {
            throw new IllegalStateException("nothing is pending from " + source.network());
        }
        network.names.computeIfPresent(source.name(), (_, count) -> count == 1 ? null : count - 1);
        if (--network.total == 0) {
            networks.remove(source.network());
        }
        total--;
    }

    /** How many are pending. */
    synchronized int count() {
        return total;
    }
}

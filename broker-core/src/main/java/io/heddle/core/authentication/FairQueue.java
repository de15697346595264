package io.heddle.core.authentication;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue in which networks take turns, and the names within each network. Networks that failed to sign in lately get every
 * {@value #FAILING_SHARE}th turn while others wait, so that a flood of wrong passwords delays itself, and a proxy or NAT that carries
 * both the flood and honest clients is never shut out. Not thread-safe; its owner bounds it.
 *
 * @param <T> what is queued
 */
final class FairQueue<T> {
    private static final int FAILING_SHARE = 4;

    private final Predicate<String> failing;
    // The network whose turn is next comes first. A network is in one of the two while it has elements.
    private final LinkedHashMap<String, Network<T>> trusted = new LinkedHashMap<>();
    private final LinkedHashMap<String, Network<T>> suspected = new LinkedHashMap<>();
    private int turns;
    private int size;

    /** The elements of one network by name; the name whose turn is next comes first. */
    private static final class Network<T> {
        final LinkedHashMap<String, Deque<T>> names = new LinkedHashMap<>();
    }

    /** @param failing whether a network failed to sign in lately; asked anew at each of its turns */
    FairQueue(Predicate<String> failing) {
        this.failing = failing;
    }

    /** Adds an element behind those of the same network and name. */
    void add(SignInSource source, T element) {
        Network<T> network = find(source.network());
        if (network == null) {
            network = new Network<>();
            line(source.network()).put(source.network(), network);
        }
        network.names.computeIfAbsent(source.name(), _ -> new ArrayDeque<>()).add(element);
        size++;
    }

    /** Removes the element whose turn it is; null when there is none. */
    @Nullable
    T poll() {
        turns = (turns + 1) % FAILING_SHARE;
        boolean trustedFirst = suspected.isEmpty() || turns != 0;
        SequencedMap<String, Network<T>> line = trustedFirst && !trusted.isEmpty() ? trusted : suspected;
        Map.Entry<String, Network<T>> next = line.pollFirstEntry();
        if (next == null) {
            return null;
        }
        Network<T> network = next.getValue();
        Map.Entry<String, Deque<T>> name = network.names.pollFirstEntry();
        T element = name.getValue().remove();
        if (!name.getValue().isEmpty()) {
            network.names.putLast(name.getKey(), name.getValue());
        }
        if (!network.names.isEmpty()) {
            line(next.getKey()).putLast(next.getKey(), network);
        }
        size--;
        return element;
    }

    /** Removes an element that does not wait for its turn any more. */
    void remove(SignInSource source, T element) {
        Network<T> network = find(source.network());
        Deque<T> sameName = network == null ? null : network.names.get(source.name());
        if (network == null || sameName == null || !sameName.remove(element)) {
            return;
        }
        size--;
        if (sameName.isEmpty()) {
            network.names.remove(source.name());
        }
        if (network.names.isEmpty()) {
            trusted.remove(source.network());
            suspected.remove(source.network());
        }
    }

    /** How many elements there are. */
    int size() {
        return size;
    }

    private @Nullable Network<T> find(String network) {
        Network<T> found = trusted.get(network);
        return found != null ? found : suspected.get(network);
    }

    private SequencedMap<String, Network<T>> line(String network) {
        return failing.test(network) ? suspected : trusted;
    }
}

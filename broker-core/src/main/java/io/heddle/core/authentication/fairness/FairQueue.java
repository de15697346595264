package io.heddle.core.authentication.fairness;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue that serves networks in turn, and the names within each network in turn. Networks with recent sign-in failures get
 * every {@value #FAILING_SHARE}th turn while others wait. A flood of wrong passwords thereby delays itself, and a proxy or NAT
 * that carries both the flood and honest clients is never shut out. Not thread-safe; its owner bounds it.
 *
 * @param <T> the element type
 */
final class FairQueue<T> {
    private static final int FAILING_SHARE = 4;

    private final Predicate<String> failing;
    // In turn order. A network with elements is in exactly one of the two maps.
    private final LinkedHashMap<String, Network<T>> trusted = new LinkedHashMap<>();
    private final LinkedHashMap<String, Network<T>> suspected = new LinkedHashMap<>();
    private int turns;
    private int size;

    /** The elements of one network by name, in turn order. */
    private static final class Network<T> {
        final LinkedHashMap<String, Deque<T>> names = new LinkedHashMap<>();
    }

    /** @param failing whether a network has recent sign-in failures; evaluated at each of its turns */
    FairQueue(Predicate<String> failing) {
        this.failing = failing;
    }

    /** Adds an element after those of the same network and name. */
    void add(SignInSource source, T element) {
        Network<T> network = find(source.network());
        if (network == null) {
            network = new Network<>();
            queueOf(source.network()).put(source.network(), network);
        }
        network.names.computeIfAbsent(source.name(), _ -> new ArrayDeque<>()).add(element);
        size++;
    }

    /**
     * Removes and returns the next element, or null if there is none.
     *
     * @param withFailing whether it may be one of a network with recent failures
     */
    @Nullable
    T poll(boolean withFailing) {
        turns = (turns + 1) % FAILING_SHARE;
        boolean failingFirst = withFailing && !suspected.isEmpty() && (turns == 0 || trusted.isEmpty());
        SequencedMap<String, Network<T>> queue = failingFirst ? suspected : trusted;
        Map.Entry<String, Network<T>> next = queue.pollFirstEntry();
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
            queueOf(next.getKey()).putLast(next.getKey(), network);
        }
        size--;
        return element;
    }

    /** Removes an element that no longer waits. */
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

    int size() {
        return size;
    }

    private @Nullable Network<T> find(String network) {
        Network<T> found = trusted.get(network);
        return found != null ? found : suspected.get(network);
    }

    private SequencedMap<String, Network<T>> queueOf(String network) {
        return failing.test(network) ? suspected : trusted;
    }
}

package io.heddle.core.cluster;

import io.heddle.core.Port;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A map that outlives every node, kept as the log of its changes: the last change of a key counts. Thread-safe.
 *
 * @param <K> what is known by, equal by value
 * @param <V> what is known of it
 */
@Port
public interface ChangeLog<K, V> {
    /**
     * Appends a change. Changes that one thread appends to one key stay in their order.
     *
     * @param value null when the key is not to be known any more
     * @return completes when the change outlives the loss of any one server; fails only when it can never be appended, with the
     *     reason. Completes on a thread of the log, which must not be held up
     */
    CompletionStage<Void> append(K key, @Nullable V value);

    /**
     * Tells everything that is known, once, in the order of the log: a key may come several times, its last value is the one
     * that counts. Blocks until the end of the log, as it was when this was called, is reached; for the start of a node.
     *
     * @param progress is told now and then how far it is
     * @throws io.heddle.core.StoreUnavailableException when the log can't be read
     */
    void replay(Listener<K, V> changes, Progress progress);

    /** Hears of changes, on the thread that replays. */
    @FunctionalInterface
    interface Listener<K, V> {
        /** A key has this value now, or none when it is null. */
        void changed(K key, @Nullable V value);
    }

    /** Hears how far a replay is, on the thread that replays. */
    @FunctionalInterface
    interface Progress {
        /** So many records of the log were read, of about so many. */
        void read(long records, long of);
    }
}

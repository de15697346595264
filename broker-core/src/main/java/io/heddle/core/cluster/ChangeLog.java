package io.heddle.core.cluster;

import io.heddle.core.Port;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A durable map shared by all nodes, stored as a log of changes: the last change of a key wins. Thread-safe.
 *
 * @param <K> the key, compared by value
 * @param <V> the value
 */
@Port
public interface ChangeLog<K, V> {
    /**
     * Appends a change. Changes that one thread appends for one key keep their order.
     *
     * @param value null to remove the key
     * @return completes when the change survives the loss of any one server; fails only if it can never be appended. Completes on
     *     a thread of the log, which must not be blocked
     */
    CompletionStage<Void> append(K key, @Nullable V value);

    /**
     * Replays the log once, in order. A key may occur several times; its last value counts. Blocks until the end of the log at
     * the time of the call; used at startup.
     *
     * @param progress notified from time to time
     * @throws io.heddle.core.StoreUnavailableException if the log cannot be read
     */
    void replay(Listener<K, V> changes, Progress progress);

    /** Receives changes, on the replaying thread. */
    @FunctionalInterface
    interface Listener<K, V> {
        /** A key has a new value, or was removed if the value is null. */
        void changed(K key, @Nullable V value);
    }

    /** Receives the progress of a replay, on the replaying thread. */
    @FunctionalInterface
    interface Progress {
        /** Reports how many records have been read, of about how many. */
        void read(long records, long of);
    }
}

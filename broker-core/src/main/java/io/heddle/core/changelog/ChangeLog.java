package io.heddle.core.changelog;

import io.heddle.core.Port;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A durable map shared by all nodes, stored as a log of changes: the last change of a key wins. All changes of a key are in one partition of
 * the log. Thread-safe.
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
    default CompletionStage<Void> append(K key, @Nullable V value) {
        return append(new Change<>(key, value));
    }

    /** Appends a change like {@link #append(Object, Object)}. It is stored whether its condition will be met or not. */
    CompletionStage<Void> append(Change<K, V> change);

    /** Passes the log to a follower, from its beginning until the log is closed. Retries while the log does not answer. Never blocks. */
    void follow(LogFollower<Change<K, V>> follower);

    /**
     * Returns the offset of the next record of each partition, as of an instant after the call. Records of open transactions are below it.
     * Fails with {@link io.heddle.core.StoreUnavailableException} if the log does not answer within some seconds.
     */
    CompletionStage<List<Long>> ends();

    /**
     * A key has a new value, or was removed if the value is null.
     *
     * @param condition evaluated by the followers, in the order of the log
     */
    record Change<K, V>(K key, @Nullable V value, ChangeCondition condition) {
        /** A change that takes effect in any case. */
        public Change(K key, @Nullable V value) {
            this(key, value, ChangeCondition.Always.ALWAYS);
        }
    }
}

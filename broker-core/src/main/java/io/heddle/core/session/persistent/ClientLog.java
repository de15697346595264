package io.heddle.core.session.persistent;

import io.heddle.core.Port;
import io.heddle.core.changelog.LogFollower;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The durable log of the persistent sessions and their subscriptions, with one partition for each bucket of clients. The last change of a
 * session or subscription, and the last epoch of each bucket, is valid. Shared by all nodes. Thread-safe.
 *
 * <p>Changes are committed and not only appended: a node that others have replaced must not overwrite their changes later.
 */
@Port
public interface ClientLog {
    /**
     * Commits changes, all or none. Never blocks. Commits that one thread makes for one bucket keep their order.
     *
     * @param bucket the bucket of the client of every change
     * @param changes at least one
     * @return the offset of the last change, when the changes survive the loss of any one server; fails only if they can never be stored,
     *     or if too many commits are pending. Completes on a thread of the log, which must not be blocked
     */
    CompletionStage<Long> commit(int bucket, List<ClientChange> changes);

    /**
     * Passes the log to a follower, from its beginning until the log is closed. Retries while the log does not answer. The partitions are
     * the buckets. A subscription may precede its session, because compaction keeps the last record of each key. Never blocks.
     */
    void follow(LogFollower<ClientChange> follower);

    /**
     * Returns the offset of the next record of each bucket, as of an instant after the call. Records of open transactions are below it.
     * Fails with {@link io.heddle.core.StoreUnavailableException} if the log does not answer within some seconds.
     */
    CompletionStage<List<Long>> ends();
}

package io.heddle.core.session.persistent;

import io.heddle.core.Port;
import io.heddle.core.cluster.ChangeLog;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

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
     * @return completes when the changes survive the loss of any one server; fails only if they can never be stored, or if too many
     *     commits are pending. Completes on a thread of the log, which must not be blocked
     */
    CompletionStage<Void> commit(int bucket, List<ClientChange> changes);

    /**
     * Replays the log once. The changes of one bucket arrive in the order of the log, in which a subscription may precede its session. A
     * session or subscription may occur several times; its last change counts. Blocks until the end that the log has at the time of the
     * call; used at startup.
     *
     * @param progress notified from time to time
     * @throws io.heddle.core.StoreUnavailableException if the log cannot be read
     */
    void replay(Consumer<ClientChange> changes, ChangeLog.Progress progress);
}

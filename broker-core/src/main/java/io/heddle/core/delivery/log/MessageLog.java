package io.heddle.core.delivery.log;

import io.heddle.core.Limit;
import io.heddle.core.Port;
import java.util.List;

/**
 * The durable log: one destination per bucket, per APPLICATION client and for retained messages. Thread-safe; never blocks, because callers
 * ask {@link #accepts} before they append. Appends of one thread to one destination stay in order, within {@link #append} and within
 * {@link #commit}.
 */
@Port
public interface MessageLog {
    /**
     * Whether there is room for another append of this size, in bytes. Call it before appending. Appends made without room are queued up to
     * twice the limit and then fail, which bounds memory during an outage.
     */
    boolean accepts(long bytes);

    /**
     * Returns how many bytes the unanswered appends of one publisher may have at this moment, so that they leave room for other publishers. A
     * publisher with more is not read, and while it is 0, none that has published.
     */
    long publisherShare();

    /** Returns the limit of the bytes without an answer, above which {@link #accepts} returns false. */
    Limit pendingLimit();

    /**
     * Appends each record on its own.
     *
     * @param appends at least one
     * @param callback called once: when all records are durable, or when one can never be appended
     */
    void append(List<LogAppend> appends, AppendCallback callback);

    /**
     * Appends all records atomically: readers see none of them before all are committed. A node that others have replaced can't commit, so
     * no late copy appears. The log may batch several commits. A commit that fails breaks its order fence, and a commit whose order fence is
     * broken fails. Commits of one topic's retained messages are stored in the order of the calls, and their callbacks have that order too.
     *
     * <p>A commit with a change of the log of clients has no order with the commits of that log: until the outcome is known, the caller makes
     * no other change of the same client's record, and it knows the outcome of all earlier ones. The commit fails only if it was not stored,
     * or if this node stores nothing more.
     *
     * @param appends at least one; a single retained message or a single released marker is retried until its outcome is known
     * @param order of the publisher
     * @param callback called once
     */
    void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback);

    /** Receives the result of an append, on a thread of the log that must not be blocked. */
    interface AppendCallback {
        /** A commit is durable, and this is the offset of its retained message. Called before {@link #onAppended}. */
        default void onRetained(long offset) {
            // Only the publisher of a retained message needs it.
        }

        /** The append is durable. */
        void onAppended();

        /** The append can never succeed, or its result is unknown. */
        void onFailed(Throwable reason);
    }
}

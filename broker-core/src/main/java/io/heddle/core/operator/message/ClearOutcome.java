package io.heddle.core.operator.message;

import io.heddle.core.cluster.NodeId;
import java.util.List;

/** The outcome of a request to clear a queue. */
public sealed interface ClearOutcome {
    /**
     * The queue is cleared, which is durable.
     *
     * @param messages the number of messages in the queue just before
     * @param isApplied whether the queue is empty already; otherwise its bucket lags, and the queue is cleared when it has caught up
     */
    record Cleared(int messages, boolean isApplied) implements ClearOutcome {}

    /** The client has no persistent session, or is an APPLICATION client. */
    enum NoQueue implements ClearOutcome {
        NO_QUEUE
    }

    /**
     * Nothing is cleared, because the command would stop the bucket at nodes of earlier versions.
     *
     * @param olderNodes ids of these members
     */
    record NotUnderstood(List<NodeId> olderNodes) implements ClearOutcome {
        public NotUnderstood {
            olderNodes = List.copyOf(olderNodes);
        }
    }
}

package io.heddle.core.delivery.bucket;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/**
 * A connection to another node that reads the queue of a session. Belongs to the applying thread. Pushes are gathered until {@link
 * QueueSessions#sendPushes}.
 */
public non-sealed interface RemoteTarget extends PushTarget {
    /** The node of the connection. */
    Incarnation node();

    /**
     * Gathers a pushed message, as a hint.
     *
     * @param sequence of exactly this message in the queue
     */
    void push(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient);

    /**
     * Gathers the hint that the queue has assigned sequence numbers without pushing their messages.
     *
     * @param sequence the highest one assigned
     */
    void pushFilledUpTo(long sequence);
}

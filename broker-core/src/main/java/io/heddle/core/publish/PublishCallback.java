package io.heddle.core.publish;

import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import org.jspecify.annotations.Nullable;

/** Receives the result of one QoS 1 or 2 message for its publisher. Results arrive on a thread of the log that must not be blocked. */
public interface PublishCallback {
    /**
     * The QoS 2 marker of the message, which identifies duplicates after a crash and is committed atomically with the message. Null at QoS 1
     * and for sessions that end with their connection.
     */
    @Nullable
    LogAppend marker();

    /** The order fence of the publisher's connection, used when there is a {@link #marker}. */
    OrderFence order();

    /**
     * The message is durable.
     *
     * @param backlog of a lagging bucket that the publisher should wait for, or null
     */
    void onDurable(PublishOutcome outcome, @Nullable Backlog backlog);

    /** The message can never become durable, or its state is unknown. It must not be acknowledged. */
    void onFailed(Throwable reason);
}

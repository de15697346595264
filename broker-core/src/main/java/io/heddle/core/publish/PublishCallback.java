package io.heddle.core.publish;

import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import org.jspecify.annotations.Nullable;

/** Receives the result of one message for its publisher. Results arrive on a thread of the log that must not be blocked. */
public interface PublishCallback {
    /**
     * The record that is committed atomically with the message, so that a crash does not repeat the message: the marker of a QoS 2 message,
     * or the record of a session without the will that is being published. Null at QoS 1 and for sessions that end with their connection.
     */
    default @Nullable LogAppend marker() {
        return null;
    }

    /** The order fence of the publisher's connection. Null only without a {@link #marker}. */
    default @Nullable OrderFence order() {
        return null;
    }

    /**
     * The message is durable.
     *
     * @param backlog of a lagging bucket that the publisher should wait for, or null
     */
    void onDurable(PublishOutcome outcome, @Nullable Backlog backlog);

    /** The message can never become durable, or its state is unknown. It must not be acknowledged. */
    void onFailed(Throwable reason);
}

package io.heddle.core.publish;

import io.heddle.core.cluster.MessageName;
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

    /** The name of a QoS 2 message of a persistent session: a new one, which has a {@link #marker}, or one that is repeated. Null for others. */
    default @Nullable MessageName name() {
        return null;
    }

    /** Returns whether the message is one that an earlier connection has stored, and that the publisher repeats. */
    default boolean isRepeated() {
        return name() != null && marker() == null;
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

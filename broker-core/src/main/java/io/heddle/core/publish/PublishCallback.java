package io.heddle.core.publish;

import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.OrderFence;
import org.jspecify.annotations.Nullable;

/** The publisher of one message above QoS 0, who waits until it is safe. */
public interface PublishCallback {
    /**
     * What says that this message was taken, in case the publisher asks again after a crash; it is written together with the
     * message, or not at all. Null when nobody will ask.
     */
    @Nullable
    LogAppend mark();

    /** In which it is written, whenever there is a {@link #mark}. */
    OrderFence order();

    /**
     * The message is safe: called on a thread of the log, which must not be held up.
     *
     * @param backlog of a bucket that lags and that the publisher should wait for, or null
     */
    void safe(PublishOutcome outcome, @Nullable Backlog backlog);

    /** It can never be made safe, or nobody knows whether it is: the publisher must not be told that it was taken. The same thread. */
    void failed(Throwable reason);
}

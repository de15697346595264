package io.heddle.api.queues;

import io.heddle.core.operator.message.ClearOutcome;

/**
 * The result of clearing a queue, which is durable.
 *
 * @param messages the number of messages in the queue just before
 * @param applied whether the queue is empty already; otherwise its bucket lags, and the queue is cleared when the bucket has caught up
 */
record ClearedQueueResponse(int messages, boolean applied) {
    static ClearedQueueResponse of(ClearOutcome.Cleared cleared) {
        return new ClearedQueueResponse(cleared.messages(), cleared.isApplied());
    }
}

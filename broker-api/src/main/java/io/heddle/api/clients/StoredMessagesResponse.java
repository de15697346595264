package io.heddle.api.clients;

import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.operator.message.ApplicationLog;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of the messages in the queue or log of a client, those that it has received and not acknowledged included.
 *
 * @param messages of an APPLICATION client its lag, which includes the ends of transactions
 * @param queuedBytes null for an APPLICATION client, whose log also has acknowledged messages
 */
record StoredMessagesResponse(long messages, @Nullable Long queuedBytes) {
    static @Nullable StoredMessagesResponse of(@Nullable QueueView queue) {
        return queue == null ? null : new StoredMessagesResponse(queue.messages(), queue.bytes());
    }

    static @Nullable StoredMessagesResponse of(@Nullable ApplicationLog log) {
        return log == null ? null : new StoredMessagesResponse(log.lag(), null);
    }
}

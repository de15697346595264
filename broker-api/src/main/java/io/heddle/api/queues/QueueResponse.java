package io.heddle.api.queues;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.QueueView;

/**
 * The size of a queue.
 *
 * @param messages those that the client has received and not acknowledged included
 * @param firstSequence the lowest sequence number in the queue, one above the last one if it is empty
 * @param lastSequence the highest sequence number ever assigned; 0 if none was
 */
record QueueResponse(String clientId, int messages, long queuedBytes, long firstSequence, long lastSequence) {
    static QueueResponse of(ClientId clientId, QueueView view) {
        return new QueueResponse(clientId.value(), view.messages(), view.bytes(), view.head(), view.tail());
    }
}

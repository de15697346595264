package io.heddle.api.queues;

import io.heddle.api.message.MessageResponse;
import io.heddle.core.delivery.device.QueuePage;

/**
 * A message in a queue.
 *
 * @param received whether the client has sent PUBREC, so that only PUBREL is missing
 * @param message with the QoS and RETAIN of the delivery
 */
record QueuedMessageResponse(long sequence, boolean received, MessageResponse message) {
    static QueuedMessageResponse of(QueuePage.Entry entry) {
        return new QueuedMessageResponse(
                entry.sequence(), entry.received(), MessageResponse.of(entry.message(), entry.qos(), entry.retain()));
    }
}

package io.heddle.core.session.queue;

import io.heddle.core.delivery.device.QueueSessions;
import io.heddle.core.delivery.log.OutboundQueue;
import java.util.List;

/**
 * What a connection gets of its client's persistent session.
 *
 * @param received the numbers that PUBREC has come for over earlier connections, in the order in which it did
 * @param reader how those who fill queues reach it
 */
public record OpenedFeed(OutboundQueue queue, List<Long> received, QueueSessions.Reader reader) {
    public long epoch() {
        return reader.epoch();
    }
}

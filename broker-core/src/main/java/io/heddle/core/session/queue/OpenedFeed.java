package io.heddle.core.session.queue;

import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.log.OutboundQueue;
import java.util.List;

/**
 * The message supply of a connected persistent session.
 *
 * @param received the sequence numbers of messages that PUBREC has come for over earlier connections, in that order
 * @param reader receives the events of the writer of the queues
 */
public record OpenedFeed(OutboundQueue queue, List<Long> received, QueueSessions.Reader reader) {
    /** The epoch of the connection. */
    public long epoch() {
        return reader.epoch();
    }
}

package io.heddle.core.session.queue;

import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.log.OutboundQueue;
import java.util.List;

/**
 * The message supply of a connected persistent session.
 *
 * @param received the sequence numbers of the messages answered with PUBREC over earlier connections, in the order of the PUBRECs
 * @param reader receives the events of the writer of the queues
 */
public record OpenedFeed(OutboundQueue queue, List<Long> received, QueueSessions.Reader reader) {
    /** The epoch of the connection. */
    public long epoch() {
        return reader.epoch();
    }
}

package io.heddle.core.session;

import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.log.OutboundFeed;
import java.util.List;

/**
 * What a connection gets of its client's persistent session.
 *
 * @param received the numbers that PUBREC has come for over earlier connections, in the order in which it did
 * @param reader how those who fill queues reach it
 */
record OpenedFeed(OutboundFeed feed, List<Long> received, QueueSessions.Reader reader) {
    long epoch() {
        return reader.epoch();
    }
}

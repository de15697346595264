package io.heddle.core.delivery.device;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;

/**
 * Entries of a queue, by rising number.
 *
 * @param owned whether the reader is the session's owner: otherwise nothing was read
 * @param tail the highest number that was given in this queue, 0 when none was or nothing was read
 */
public record QueuePage(boolean owned, List<Entry> entries, long tail) {
    public QueuePage {
        entries = List.copyOf(entries);
    }

    /**
     * A message in its queue.
     *
     * @param sequence its number, from 1; numbers that are missing were expired, refused or gave way
     * @param received whether PUBREC has come for it: then only PUBREL is sent
     */
    public record Entry(
            long sequence,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers,
            boolean received) {}
}

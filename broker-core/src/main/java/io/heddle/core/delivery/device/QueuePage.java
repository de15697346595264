package io.heddle.core.delivery.device;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries of a queue, by rising number.
 *
 * @param asker what the queue knows of its reader: when it is not the owner, nothing was read
 * @param tail the highest number that was given in this queue, 0 when none was or nothing was read
 */
public record QueuePage(Asker asker, List<Entry> entries, long tail) {
    /** What a queue knows of who reads it. */
    public enum Asker {
        /** It is the session's owner. */
        OWNER,
        /** It was the owner until another connection came, or until it left. */
        FENCED,
        /** It is later than what the queue knows, which has forgotten it. */
        UNKNOWN
    }

    /** Whether the reader is the session's owner. */
    public boolean owned() {
        return asker == Asker.OWNER;
    }

    /** Nothing was read. */
    public static QueuePage refused(Asker asker) {
        return new QueuePage(asker, List.of(), 0);
    }

    public QueuePage {
        entries = List.copyOf(entries);
    }

    /**
     * A message in its queue.
     *
     * @param sequence its number, from 1; numbers that are missing were expired, refused or gave way
     * @param received whether PUBREC has come for it: then only PUBREL is sent
     * @param sharedFilter see {@link io.heddle.core.delivery.log.QueueRecipient}
     */
    public record Entry(
            long sequence,
            PublishMessage message,
            QoS qos,
            boolean retain,
            List<Integer> subscriptionIdentifiers,
            boolean received,
            @Nullable String sharedFilter) {
        /** A message that came by no shared subscription. */
        public Entry(
                long sequence,
                PublishMessage message,
                QoS qos,
                boolean retain,
                List<Integer> subscriptionIdentifiers,
                boolean received) {
            this(sequence, message, qos, retain, subscriptionIdentifiers, received, null);
        }
    }
}

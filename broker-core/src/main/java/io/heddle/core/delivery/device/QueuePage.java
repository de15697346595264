package io.heddle.core.delivery.device;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a queue, in order of sequence numbers.
 *
 * @param ownership of the session by the reader; only its owner gets entries
 * @param tail the highest sequence number assigned in this queue; 0 when none is assigned or nothing was read
 */
public record QueuePage(Ownership ownership, List<Entry> entries, long tail) {
    /** Ownership of a session by the connection that reads its queue. */
    public enum Ownership {
        /** The connection owns the session. */
        OWNER,
        /** The connection was the owner until another one took over or it disconnected. */
        FENCED,
        /** The connection's epoch is newer than the stored one: the store has lost its registration. */
        UNKNOWN
    }

    public boolean isOwned() {
        return ownership == Ownership.OWNER;
    }

    /** A page for a reader that does not own the session. */
    public static QueuePage rejected(Ownership ownership) {
        return new QueuePage(ownership, List.of(), 0);
    }

    public QueuePage {
        entries = List.copyOf(entries);
    }

    /**
     * @param sequence from 1; missing sequence numbers belong to expired, rejected, evicted or acknowledged messages
     * @param received whether PUBREC has arrived, so that only PUBREL is sent
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
        /** A message that no shared subscription selected this client for. */
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

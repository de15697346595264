package io.heddle.core.delivery.device;

import java.util.List;

/**
 * The size of a queue and some of its entries.
 *
 * @param head the lowest sequence number in the queue, or one above the tail when it is empty
 * @param tail the highest sequence number assigned; 0 when none is, or the store does not know the session
 * @param messages the number of entries, those that the client has received and not acknowledged included
 * @param bytes of all entries
 * @param entries in order of sequence numbers
 */
public record QueueView(long head, long tail, int messages, long bytes, List<QueuePage.Entry> entries) {
    /** A queue that the store does not know. */
    public static final QueueView UNKNOWN = new QueueView(1, 0, 0, 0, List.of());

    public QueueView {
        entries = List.copyOf(entries);
    }
}

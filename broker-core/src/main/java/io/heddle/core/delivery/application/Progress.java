package io.heddle.core.delivery.application;

import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;

/**
 * The acknowledgements of an APPLICATION client.
 *
 * @param lowest everything below this sequence number is acknowledged, or does not belong to the session
 * @param acknowledged ranges above it, sorted, disjoint and not adjacent
 * @param received sequence numbers between PUBREC and PUBCOMP, in the order of their PUBRECs
 * @param sentBelow one above the highest sequence number sent, or {@link #UNKNOWN} while a connection may still send
 */
public record Progress(long lowest, List<SequenceRange> acknowledged, List<Long> received, long sentBelow) {
    /** The connection has not ended, and only an ended connection records how far it has sent. */
    public static final long UNKNOWN = -1;

    public Progress {
        acknowledged = List.copyOf(acknowledged);
        received = List.copyOf(received);
    }

    /** The progress of a new session, whose messages have this sequence number or higher ones. */
    static Progress startingAt(long first) {
        return new Progress(first, List.of(), List.of(), first);
    }
}

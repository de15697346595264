package io.heddle.core.delivery.application;

import io.heddle.core.delivery.log.AckRanges;
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

    /**
     * The progress of a session that continues at another sequence number. Messages with PUBREC and without PUBCOMP stay: the client waits for
     * their PUBREL, and would take a later message with the same Packet Identifier for a duplicate.
     */
    Progress movedTo(long sequence) {
        long first = sequence;
        for (long each : received) {
            first = Math.min(first, each);
        }
        AckRanges moved = new AckRanges(first, List.of());
        long from = first;
        for (long each : received.stream().sorted().toList()) {
            if (each < sequence) {
                skip(moved, from, each);
                from = each + 1;
            }
        }
        skip(moved, from, sequence);
        return new Progress(moved.lowest(), moved.ranges(), received, sentBelow);
    }

    private static void skip(AckRanges ranges, long from, long end) {
        if (from < end) {
            ranges.add(from, end);
        }
    }

    /** The progress of a new session, whose messages have this sequence number or higher ones. */
    static Progress startingAt(long first) {
        return new Progress(first, List.of(), List.of(), first);
    }
}

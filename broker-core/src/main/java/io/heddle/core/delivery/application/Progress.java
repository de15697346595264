package io.heddle.core.delivery.application;

import io.heddle.core.delivery.log.SequenceRange;
import java.util.List;

/**
 * What an APPLICATION client has acknowledged of its log.
 *
 * @param lowest everything below this number is acknowledged, or not the client's
 * @param acknowledged so is what lies in these runs above it, which are sorted and do not touch
 * @param received the numbers that PUBREC has come for and PUBCOMP has not, in the order of the PUBRECs
 * @param sentBelow one above the highest number that was sent, or {@link #UNKNOWN} while a connection may still send
 */
public record Progress(long lowest, List<SequenceRange> acknowledged, List<Long> received, long sentBelow) {
    /** Only a connection that has ended says how far it has sent. */
    public static final long UNKNOWN = -1;

    public Progress {
        acknowledged = List.copyOf(acknowledged);
        received = List.copyOf(received);
    }

    /** Nothing was sent yet, and messages come from this number on. */
    static Progress beginningAt(long first) {
        return new Progress(first, List.of(), List.of(), first);
    }
}

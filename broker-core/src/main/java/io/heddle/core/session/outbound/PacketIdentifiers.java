package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;

/**
 * A range of Packet Identifiers that a session assigns in turn and then from the start again. As long as less than the whole range is
 * in use, the identifier alone determines the sequence number of its message, without a table.
 */
@HotPath
final class PacketIdentifiers {
    /** The lower half, for messages that a session holds in memory. */
    static final PacketIdentifiers IN_MEMORY = new PacketIdentifiers(1, 32_767);

    /** The upper half, for messages of a queue or log that assigns their sequence numbers. */
    static final PacketIdentifiers NUMBERED = new PacketIdentifiers(32_768, 32_767);

    private final int first;
    private final int count;

    private PacketIdentifiers(int first, int count) {
        this.first = first;
        this.count = count;
    }

    /** The number of identifiers: the sequence numbers in use at a time must span fewer. */
    int count() {
        return count;
    }

    /** The identifier of a sequence number, which is not negative. */
    int identifier(long sequence) {
        return first + (int) (sequence % count);
    }

    /**
     * The sequence number of the message with this identifier.
     *
     * @param lowest the lowest sequence number in use
     * @return from {@code lowest} to {@code lowest + count() - 1}, or -1 when the identifier is outside of this range
     */
    long sequence(int identifier, long lowest) {
        int offset = identifier - first;
        if (offset < 0 || offset >= count) {
            return -1;
        }
        return lowest + Math.floorMod(offset - (int) (lowest % count), count);
    }
}

package io.heddle.core.session;

import io.heddle.core.HotPath;

/**
 * A range of Packet Identifiers that a session uses in turn: the n-th message gets the n-th identifier, and after the last one
 * the first again. So an identifier says which message it stands for, as long as less than the whole range is in use, and no
 * table is needed.
 */
@HotPath
final class PacketIdentifiers {
    /** The lower half, for what a session keeps in memory; the upper half is for queues and logs with numbers of their own. */
    static final PacketIdentifiers IN_MEMORY = new PacketIdentifiers(1, 32_767);

    /** The upper half, for what comes from a queue or a log that numbers it. */
    static final PacketIdentifiers NUMBERED = new PacketIdentifiers(32_768, 32_767);

    private final int first;
    private final int count;

    private PacketIdentifiers(int first, int count) {
        this.first = first;
        this.count = count;
    }

    /** How many there are: the sequence numbers in use at a time must span fewer. */
    int count() {
        return count;
    }

    /** The identifier of a sequence number, which is not negative. */
    int identifier(long sequence) {
        return first + (int) (sequence % count);
    }

    /**
     * The sequence number that an identifier stands for.
     *
     * @param lowest the lowest number in use; the answer is not below it
     * @return a number from {@code lowest} to {@code lowest + count() - 1}, or -1 when the identifier is none of this range
     */
    long sequence(int identifier, long lowest) {
        int offset = identifier - first;
        if (offset < 0 || offset >= count) {
            return -1;
        }
        return lowest + Math.floorMod(offset - (int) (lowest % count), count);
    }
}

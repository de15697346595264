package io.heddle.core.delivery.device;

import io.heddle.core.delivery.log.BucketCommand;
import java.util.List;

/**
 * Consecutive commands of one bucket's log.
 *
 * @param precedingOffset the offset of the record read before the first command, or {@link #NOTHING}; because offsets have gaps, each batch
 *     names its predecessor
 * @param commands at least one, in order of offsets
 * @param completeFrom sessions of this generation, in microseconds since 1970, and later ones have all their messages in the log, so that a
 *     replay assigns their original sequence numbers
 */
public record BucketBatch(int bucket, long precedingOffset, List<Logged> commands, long completeFrom) {
    /** The log may lack messages of any session. */
    public static final long NEVER_COMPLETE = 1L << 52;

    /** The offset before the beginning of the log. */
    public static final long NOTHING = -1;

    /** A batch of a log that may lack messages of any session. */
    public BucketBatch(int bucket, long precedingOffset, List<Logged> commands) {
        this(bucket, precedingOffset, commands, NEVER_COMPLETE);
    }

    public BucketBatch {
        commands = List.copyOf(commands);
        if (commands.isEmpty()) {
            throw new IllegalArgumentException("a batch without commands");
        }
    }

    public long lastOffset() {
        return commands.getLast().offset();
    }

    /**
     * A command and its place in the log.
     *
     * @param rejected whether the queues have rejected the command: then applying it only assigns its sequence numbers
     */
    public record Logged(long offset, BucketCommand command, boolean rejected) {
        /** A command that was not rejected. */
        public Logged(long offset, BucketCommand command) {
            this(offset, command, false);
        }
    }
}

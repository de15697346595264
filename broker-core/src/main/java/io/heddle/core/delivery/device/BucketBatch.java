package io.heddle.core.delivery.device;

import io.heddle.core.delivery.log.BucketCommand;
import java.util.List;

/**
 * Commands of one bucket as they follow each other in its log.
 *
 * @param precedingOffset the offset of the record that was read before the first of these, or {@link #NOTHING}: offsets have gaps,
 *     so each batch says what it follows
 * @param commands at least one, by rising offset
 * @param completeFrom the generation, in microseconds since 1970, from which on the log has every message of a session that the
 *     queues do not know, so that they give it the numbers that it had
 */
public record BucketBatch(int bucket, long precedingOffset, List<Logged> commands, long completeFrom) {
    /** Of no session it is known whether the log has every message of it. */
    public static final long NEVER_COMPLETE = 1L << 52;

    /** Nothing of the log has been read, or applied, before. */
    public static final long NOTHING = -1;

    /** Commands of a log that may not be complete for any session that the queues do not know. */
    public BucketBatch(int bucket, long precedingOffset, List<Logged> commands) {
        this(bucket, precedingOffset, commands, NEVER_COMPLETE);
    }

    public BucketBatch {
        commands = List.copyOf(commands);
        if (commands.isEmpty()) {
            throw new IllegalArgumentException("a batch without commands");
        }
    }

    /** The offset of its last command. */
    public long lastOffset() {
        return commands.getLast().offset();
    }

    /**
     * A command and its place in the log.
     *
     * @param rejected whether the queues have rejected it: then it only takes its numbers
     */
    public record Logged(long offset, BucketCommand command, boolean rejected) {
        /** A command that was not rejected. */
        public Logged(long offset, BucketCommand command) {
            this(offset, command, false);
        }
    }
}

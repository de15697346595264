package io.heddle.core.delivery.device;

import io.heddle.core.delivery.log.BucketCommand;
import java.util.List;

/**
 * Commands of one bucket as they follow each other in its log.
 *
 * @param precedingOffset the offset of the record that was read before the first of these, or {@link #NOTHING}: offsets have gaps,
 *     so each batch says what it follows
 * @param commands at least one, by rising offset
 */
public record BucketBatch(int bucket, long precedingOffset, List<Logged> commands) {
    /** Nothing of the log has been read, or applied, before. */
    public static final long NOTHING = -1;

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

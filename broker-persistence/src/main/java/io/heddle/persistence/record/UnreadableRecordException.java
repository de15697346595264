package io.heddle.persistence.record;

/**
 * Stored bytes that this build cannot read because they are truncated or of another version. A reader never skips them: the read fails until
 * they are replaced.
 */
public final class UnreadableRecordException extends RuntimeException {
    /** What an operator does about stores that another build has written. */
    public static final String OTHER_BUILD =
            "back up with the build that wrote it, install this build with empty stores, and restore the backup";

    private static final long serialVersionUID = 1L;

    /**
     * @param where the topic, partition and offset, or the key
     * @param detail the reason
     */
    public UnreadableRecordException(String where, String detail) {
        super(where + " is unreadable: " + detail);
    }

    /** Returns the message with what an operator can do about a record in Kafka. */
    public String withAdvice() {
        return getMessage() + ": if another build wrote it, " + OTHER_BUILD + "; if it is damaged, restore a backup";
    }
}

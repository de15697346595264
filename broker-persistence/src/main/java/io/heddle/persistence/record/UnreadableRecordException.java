package io.heddle.persistence.record;

/**
 * Stored bytes that this version of the broker cannot read because they are truncated or of a later version. A reader never skips them: the
 * read fails until a version of the broker that knows them runs.
 */
public final class UnreadableRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param where the topic, partition and offset, or the key
     * @param detail the reason
     */
    public UnreadableRecordException(String where, String detail) {
        super(where + " is unreadable: " + detail);
    }
}

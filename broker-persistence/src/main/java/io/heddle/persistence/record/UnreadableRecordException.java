package io.heddle.persistence.record;

/**
 * Stored bytes that this version of the broker can't read: cut off, or written by a later version. Never passed over: whoever reads
 * stops, or sets them aside and counts them.
 */
public final class UnreadableRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Bytes that can't be read.
     *
     * @param where topic, partition and offset, or key
     * @param detail what is wrong with them
     */
    public UnreadableRecordException(String where, String detail) {
        super(where + " can't be read: " + detail);
    }
}

package io.heddle.core.delivery.application;

/**
 * The extent of a client's log.
 *
 * @param first the lowest sequence number that the log may still have
 * @param end one above the highest sequence number
 * @param bytes on the disk of one broker of the log, or {@link #UNKNOWN}
 */
public record LogExtent(long first, long end, long bytes) {
    /** The store does not report the size. */
    public static final long UNKNOWN = -1;
}

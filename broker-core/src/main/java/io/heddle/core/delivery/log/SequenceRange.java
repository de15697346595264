package io.heddle.core.delivery.log;

/**
 * Consecutive sequence numbers of a queue or a log.
 *
 * @param first inclusive
 * @param end exclusive
 */
public record SequenceRange(long first, long end) {}

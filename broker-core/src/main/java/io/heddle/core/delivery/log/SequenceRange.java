package io.heddle.core.delivery.log;

/**
 * Numbers of a queue or a log that follow each other.
 *
 * @param first the lowest of them
 * @param end one above the highest
 */
public record SequenceRange(long first, long end) {}

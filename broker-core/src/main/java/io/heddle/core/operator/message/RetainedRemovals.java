package io.heddle.core.operator.message;

/**
 * The outcome of a removal of many retained messages.
 *
 * @param removed the number of messages whose removal is durable
 * @param isComplete whether all matching messages were removed; otherwise a repetition removes more
 */
public record RetainedRemovals(int removed, boolean isComplete) {}

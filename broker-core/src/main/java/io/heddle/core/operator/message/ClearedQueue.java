package io.heddle.core.operator.message;

/**
 * A queue that an administrator has cleared.
 *
 * @param messages the number of messages in the queue just before
 * @param isApplied whether the queue is empty already; otherwise its bucket lags, and the queue is cleared when it has caught up
 */
public record ClearedQueue(int messages, boolean isApplied) {}

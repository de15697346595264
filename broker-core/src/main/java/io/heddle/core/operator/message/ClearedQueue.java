package io.heddle.core.operator.message;

/**
 * The outcome of clearing a queue. That the queue is cleared is durable.
 *
 * @param messages the number of messages in the queue just before
 * @param isApplied whether the queue is already empty; otherwise its bucket lags, and the queue is cleared when the bucket has caught up
 */
public record ClearedQueue(int messages, boolean isApplied) {}

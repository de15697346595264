package io.heddle.core.lifecycle;

/**
 * Numbers that are equal on nodes with the same state, while none changes.
 *
 * @param sessions of the persistent sessions
 * @param subscriptions of the persistent sessions
 * @param retained of the retained messages
 */
public record StateChecksums(long sessions, long subscriptions, long retained) {}

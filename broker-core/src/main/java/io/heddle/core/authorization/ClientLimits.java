package io.heddle.core.authorization;

import io.heddle.core.quota.RateLimits;

/**
 * @param published of the messages that it publishes
 * @param delivered of the messages that it receives
 * @param connections of its user to a node; {@link Long#MAX_VALUE} for no limit
 */
public record ClientLimits(RateLimits published, RateLimits delivered, long connections) {
    /** No limits. */
    public static final ClientLimits NONE = new ClientLimits(RateLimits.NONE, RateLimits.NONE, Long.MAX_VALUE);
}

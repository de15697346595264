package io.heddle.core.session;

import io.heddle.core.subscription.DeliveryCapacity;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connected session at one moment.
 *
 * @param subscriptions the number of its subscriptions
 * @param inFlight messages that were sent and are not acknowledged
 * @param waitingMessages in the memory of the node; those of a persistent session wait in a store
 * @param waitingBytes of the waiting messages
 * @param drops messages that this connection was not sent
 * @param dropReason of the latest one, as in {@code heddle.messages.dropped}, or null
 * @param dropMillis the time of the latest one in milliseconds since 1970, or 0
 * @param maximumInFlight the send quota
 * @param capacity for one more message
 */
public record SessionDetails(
        int subscriptions,
        int inFlight,
        long waitingMessages,
        long waitingBytes,
        long drops,
        @Nullable String dropReason,
        long dropMillis,
        int maximumInFlight,
        DeliveryCapacity capacity) {}

package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;

/** A client's session as a subscriber. Sealed: routing handles each kind. */
public sealed interface SessionSubscriber extends Subscriber permits LocalSession, PersistentSubscriber {
    /** Returns the client's id. Any thread. */
    ClientId clientId();

    /** Returns whether its client is connected; the answer may be slightly stale. Any thread. */
    boolean isConnected();

    /**
     * Estimates its capacity for a message. Any thread. Accurate for members of shared subscriptions; may be too optimistic for
     * others.
     */
    DeliveryCapacity capacity();
}

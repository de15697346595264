package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;

/** A client's session as a subscriber. Sealed: routing has a way for each kind. */
public sealed interface SessionSubscriber extends Subscriber permits LocalSession, PersistentSubscriber {
    /** The client's id; any thread may ask. */
    ClientId clientId();

    /** Whether its client is connected at about this moment; any thread may ask. */
    boolean isConnected();

    /**
     * How it can take a message at about this moment; any thread may ask. Known of members of shared subscriptions, of others
     * possibly too good.
     */
    DeliveryCapacity capacity();
}

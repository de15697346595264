package io.heddle.core.subscription;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;

/** A session that this node keeps in memory, whether its client is connected or not. */
public non-sealed interface LocalSession extends Subscriber {
    /** The client's id; any thread may ask. */
    ClientId clientId();

    /** The owner thread; any thread may ask. */
    EventLoop eventLoop();

    /** Whether its client is connected at about this moment; any thread may ask. */
    boolean isConnected();

    /**
     * How it can take a message at about this moment; any thread may ask. Known of members of shared subscriptions, of others
     * possibly too good.
     */
    Room room();

    /**
     * Takes a message for the client. Owner thread only. What cannot be delivered is counted here, with its reason.
     *
     * @return whether the client has it already: then the caller counts it as delivered, many at a time
     */
    boolean deliver(PublishMessage message, DeliveryTerms terms);
}

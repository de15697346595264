package io.heddle.core.subscription;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;

/**
 * A session in the memory of this node. As a subscriber of its own it is one that ends with its connection; otherwise it is the
 * connected side of a {@link PersistentSubscriber}.
 */
public non-sealed interface LocalSession extends SessionSubscriber {
    /** The owner thread; any thread may ask. */
    EventLoop eventLoop();

    /**
     * Takes a message for the client. Owner thread only. What cannot be delivered is counted here, with its reason.
     *
     * @return whether the client has it already: then the caller counts it as delivered, many at a time
     */
    boolean deliver(PublishMessage message, DeliveryTerms terms);
}

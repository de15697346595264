package io.heddle.core.subscription;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;

/**
 * A session in the memory of this node. It is a subscriber itself if it ends with its connection; otherwise it is the connected
 * side of a {@link PersistentSubscriber}.
 */
public non-sealed interface LocalSession extends SessionSubscriber {
    /** Returns the owner thread. Any thread. */
    EventLoop eventLoop();

    /**
     * Accepts a message for the client. Owner thread only. The session counts undeliverable messages with their reason.
     *
     * @return whether the message was sent immediately; the caller then counts it as delivered, many at a time
     */
    boolean deliver(PublishMessage message, DeliveryTerms terms);

    /** Ends the connection, if there is one, with this reason. Owner thread only. */
    void disconnect(ReasonCode reason);
}

package io.heddle.core.node;

import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.interest.TransientInterest;

/** Connects the subscribers and messages of a node with the other nodes of the cluster. */
public interface MessageRouting {
    /** Returns where the subscriptions of sessions that end with their connections are announced. */
    TransientInterest interest();

    /** Returns the way of messages to the other nodes. */
    Forwarding forwarding();

    /**
     * Begins to deliver the messages of other nodes. Called once, while the node is constructed.
     *
     * @param names remembers the QoS 2 messages that this node has delivered
     */
    void receive(Router router, DirectDelivery direct, SharedRedispatch redispatch, MessageNames names);
}

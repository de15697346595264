package io.heddle.core.delivery.node;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.routing.RoutingPlan;
import org.jspecify.annotations.Nullable;

/** Sends messages to other nodes. Thread-safe. */
public interface Forwarding {
    /** A message that can be sent to the nodes of a plan, which may be overwritten meanwhile. */
    @FunctionalInterface
    interface Prepared {
        /**
         * Sends the message. Copies for suspected and ended nodes are dropped and counted. Any thread; at most once.
         *
         * @return the receipts to wait for, or null if there are none
         */
        @Nullable
        Receipts send();
    }

    /** Prepares a message for the nodes of a plan. On the thread of the plan, whose event loop determines the order of messages. */
    Prepared prepare(PublishMessage message, RoutingPlan plan);

    /** Returns whether messages above QoS 0 wait in the memory of this node until a link has room. */
    boolean isHeldUp();

    /**
     * A publisher repeats a message at QoS 2 that an earlier connection has stored. If the node of that connection has died between the commit
     * and the forwarding, transient subscribers of other nodes have missed the message: they are disconnected, unless no node has died in the
     * last ten minutes. On an event loop.
     */
    void repeated(TopicName topic);
}

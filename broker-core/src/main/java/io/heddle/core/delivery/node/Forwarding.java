package io.heddle.core.delivery.node;

import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.routing.RoutingPlan;
import org.jspecify.annotations.Nullable;

/** Sends messages to other nodes. Thread-safe. */
public interface Forwarding {
    /** A message that can be sent to the nodes of a plan, which may be overwritten meanwhile. */
    @FunctionalInterface
    interface Prepared {
        /**
         * Sends the message. Copies for ended nodes are dropped and counted. Any thread; at most once.
         *
         * @return the receipts to wait for, or null if there are none
         */
        @Nullable
        Receipts send();
    }

    /**
     * Prepares a message for the nodes of a plan. On the thread of the plan, whose event loop determines the order of messages.
     *
     * @param name of a QoS 2 message that its publisher may repeat at another node, or null
     */
    Prepared prepare(PublishMessage message, RoutingPlan plan, @Nullable MessageName name);

    /** Returns whether messages above QoS 0 wait in the memory of this node until a link has room. */
    boolean isHeldUp();
}

package io.heddle.core.delivery.node;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.routing.RoutingPlan;
import org.jspecify.annotations.Nullable;

/** Sends messages to other nodes. Thread-safe. */
public interface Forwarding {
    /** A single node, whose plans name no other one. */
    Forwarding OF_ONE_NODE = new Forwarding() {
        @Override
        public Prepared prepare(PublishMessage message, RoutingPlan plan) {
            throw new IllegalStateException("a plan names another node, but this node is alone");
        }

        @Override
        public boolean isHeldUp() {
            return false;
        }
    };

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
}

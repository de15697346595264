package io.heddle.core.delivery.node;

import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicFilter;

/** Chooses another member of a shared subscription for a message that the first one has not got. Thread-safe. */
public interface SharedRedispatch {
    /** The outcome of a redispatch. */
    enum Outcome {
        /** A member gets the message. */
        TAKEN,
        /** The shared subscription has no members. */
        NO_MEMBER,
        /** The member or the log has no room at present. */
        NO_ROOM
    }

    /**
     * Dispatches a message to a member.
     *
     * @param onDone runs if the message was taken, when it is durable or confirmed, or is lost; any thread
     * @param onFailed runs instead if it was taken and could not be stored, and may be dispatched again; any thread
     */
    Outcome redispatch(PublishMessage message, TopicFilter sharedFilter, Runnable onDone, Runnable onFailed);
}

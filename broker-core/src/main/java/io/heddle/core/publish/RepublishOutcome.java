package io.heddle.core.publish;

/** The outcome of dispatching a message to another member of a shared subscription. */
public enum RepublishOutcome {
    /** A member gets the message. */
    TAKEN,
    /** The shared subscription has no members. */
    NO_MEMBER,
    /** The member or the log has no room at present. */
    NO_ROOM
}

package io.heddle.core.publish;

/** What became of a message that another member of a shared subscription is to get. */
public enum RepublishOutcome {
    /** A member has it, or gets it when it is durable. */
    TAKEN,
    /** The shared subscription has no other member. */
    NO_MEMBER,
    /** There is no room for it at this moment. */
    NO_ROOM
}

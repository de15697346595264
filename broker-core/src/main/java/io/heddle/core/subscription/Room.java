package io.heddle.core.subscription;

/** How a session can take a message at about this moment, from best to worst. */
public enum Room {
    /** It would be sent at once. */
    FREE,
    /** It would wait behind others, or for a client that does not read. */
    QUEUE,
    /** Its queue is full: it would be dropped, or another in its place. */
    NONE
}

package io.heddle.core.session.registrar;

/** The answer to a {@link Departure}. */
public enum LeaveOutcome {
    /** The session's end, or its record without a connection, is durable; or the connection had no session any more. */
    LEFT,
    /** Another node decides about the client, and has not been asked: nothing has changed. */
    MOVED
}

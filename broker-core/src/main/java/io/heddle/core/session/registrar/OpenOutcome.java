package io.heddle.core.session.registrar;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import org.jspecify.annotations.Nullable;

/** The answer to an {@link OpenRequest}. */
public sealed interface OpenOutcome {
    /**
     * The client has a session.
     *
     * @param session acquired for the connection, or null when the session ends with its connection
     * @param registration of the session; null without one
     * @param present whether an existing session is resumed
     */
    record Opened(
            @Nullable PersistentSession session, @Nullable Registration registration, boolean present)
            implements OpenOutcome {
        /** A session that ends with its connection. */
        static final Opened TRANSIENT = new Opened(null, null, false);
    }

    /** The client gets no session. */
    enum Refused implements OpenOutcome {
        /** The client id has a session of another user. */
        OTHER_USER,
        /** The memory for sessions has no room for another one. */
        NO_ROOM,
        /** The user, or the address, has as many persistent sessions as it may. */
        OWNER_QUOTA
    }

    /** The stores did not answer in time, or failed. */
    record Unavailable(ReasonCode reason, String detail) implements OpenOutcome {}

    /** The client lost its connection meanwhile. */
    record Abandoned() implements OpenOutcome {}
}

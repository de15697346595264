package io.heddle.core.session.registrar;

import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import org.jspecify.annotations.Nullable;

/** The answer to an {@link OpenRequest}. */
public sealed interface OpenOutcome {
    /**
     * The client has a persistent session. The connection has acquired it until its {@link Departure}.
     *
     * @param generation of the session
     * @param registration of the session
     * @param before the record that an existing session had until now; null for a new session
     * @param hasMissed whether its queue has dropped messages while the node of the registrar has held its bucket
     */
    record Opened(
            long generation,
            Registration registration,
            @Nullable SessionRecord before,
            boolean hasMissed) implements OpenOutcome {
        /** Returns the epoch of the connection. */
        public long epoch() {
            return registration.epoch();
        }

        /** Returns whether an existing session is resumed. */
        public boolean isPresent() {
            return before != null;
        }
    }

    /**
     * The session of the client ends with its connection.
     *
     * @param number of the connection, whose {@link Departure} follows
     */
    record Transient(long number) implements OpenOutcome {}

    /** The client gets no session. */
    enum Refused implements OpenOutcome {
        /** The client id has a session of another user. */
        OTHER_USER,
        /** The memory for sessions has no room for another one. */
        NO_ROOM,
        /** The user, or the address, has as many persistent sessions as it may. */
        OWNER_QUOTA,
        /** An administrator wants the end of the session of a client that is away, and the client has connected meanwhile. */
        CONNECTED
    }

    /** The stores, or the node of another connection of the client, did not answer in time; or the stores failed. */
    record Unavailable(ReasonCode reason, String detail) implements OpenOutcome {}

    /** Another node decides about the client by now, or will in a moment. It has not been asked. */
    enum Moved implements OpenOutcome {
        INSTANCE
    }
}

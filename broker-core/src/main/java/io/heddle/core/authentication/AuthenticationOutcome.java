package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.ReasonCode;
import org.jspecify.annotations.Nullable;

/** The decision about a connecting client. */
public sealed interface AuthenticationOutcome {
    /** The client is authenticated. */
    record Accepted(ClientIdentity identity) implements AuthenticationOutcome {}

    /**
     * The client is refused.
     *
     * @param reason an error, for CONNACK
     * @param detail one phrase for the log; not sent to the client, which could learn from it which names exist
     * @param limit of this node that is exceeded, or null
     */
    record Refused(
            ReasonCode reason, String detail, @Nullable Limit limit) implements AuthenticationOutcome {
        /** Refuses a client that exceeds no limit. */
        public Refused(ReasonCode reason, String detail) {
            this(reason, detail, null);
        }
    }
}

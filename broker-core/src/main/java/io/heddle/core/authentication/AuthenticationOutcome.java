package io.heddle.core.authentication;

import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.ReasonCode;

/** The decision about a connecting client. */
public sealed interface AuthenticationOutcome {
    /** The client is authenticated. */
    record Accepted(ClientIdentity identity) implements AuthenticationOutcome {}

    /**
     * The client is refused.
     *
     * @param reason an error, for CONNACK
     * @param detail one phrase for the log; not sent to the client, which could learn from it which names exist
     */
    record Refused(ReasonCode reason, String detail) implements AuthenticationOutcome {}
}

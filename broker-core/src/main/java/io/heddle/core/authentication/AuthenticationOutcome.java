package io.heddle.core.authentication;

import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.ReasonCode;

/** What authentication decided about a connecting client. */
public sealed interface AuthenticationOutcome {
    /** The client is who it says. */
    record Accepted(ClientIdentity identity) implements AuthenticationOutcome {}

    /**
     * The client is not let in.
     *
     * @param reason an error, for CONNACK
     * @param detail one phrase for the log; not told to the client, who could learn from it which names exist
     */
    record Refused(ReasonCode reason, String detail) implements AuthenticationOutcome {}
}

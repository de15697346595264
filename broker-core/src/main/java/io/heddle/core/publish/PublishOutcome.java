package io.heddle.core.publish;

import io.heddle.core.mqtt.ReasonCode;

public sealed interface PublishOutcome {
    /** The message was delivered to its recipients, if any. */
    record Routed(int recipients) implements PublishOutcome {
        /** The topic has no subscribers. */
        public static final Routed TO_NOBODY = new Routed(0);
    }

    record Refused(ReasonCode reason) implements PublishOutcome {}

    /** The message was accepted and is being appended. Its {@link PublishCallback} receives the result. */
    enum Pending implements PublishOutcome {
        PENDING
    }
}

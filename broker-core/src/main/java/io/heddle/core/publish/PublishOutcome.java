package io.heddle.core.publish;

import io.heddle.core.mqtt.ReasonCode;

/** What became of a publication. */
public sealed interface PublishOutcome {
    /** It was handed to its recipients, of whom there may be none. */
    record Routed(int recipients) implements PublishOutcome {
        /** Nobody subscribes to the topic. */
        public static final Routed TO_NOBODY = new Routed(0);
    }

    /** It was not accepted; counted under the reason's tag. */
    record Refused(ReasonCode reason) implements PublishOutcome {}

    /** It was accepted and is on its way to where it must survive: its {@link PublishCallback} is told when it is there. */
    enum Pending implements PublishOutcome {
        /** The one value. */
        PENDING
    }
}

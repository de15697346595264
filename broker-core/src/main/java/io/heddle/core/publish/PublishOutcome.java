package io.heddle.core.publish;

import io.heddle.core.mqtt.ReasonCode;

/** What became of a publication. */
public sealed interface PublishOutcome {
    /** It was handed to its recipients, of whom there may be none. */
    record Routed(int recipients) implements PublishOutcome {
        /** Nobody subscribes to the topic. */
        public static final Routed TO_NOBODY = new Routed(0);
    }

    /**
     * It was taken, but nobody has it: all who would get it are away, and their sessions have no room to keep it. Counted as
     * dropped.
     */
    record NotKept(int recipients) implements PublishOutcome {}

    /** It was not accepted; counted under the reason's tag. */
    record Refused(ReasonCode reason) implements PublishOutcome {}

    /** It was accepted and is on its way to where it must survive: its {@link PublishReceipt} is told when it is there. */
    enum Pending implements PublishOutcome {
        /** The one value. */
        PENDING
    }
}

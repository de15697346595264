package io.heddle.core.session.registrar;

import io.heddle.core.mqtt.ReasonCode;
import java.util.List;

/** The answer to a {@link SubscriptionChange}. */
public sealed interface ChangeOutcome {
    /**
     * The changes are durable, and in force on every node that routes messages.
     *
     * @param reasons of SUBACK or UNSUBACK, one for each filter in its place
     * @param withRetained the positions of the filters whose retained messages are sent, in ascending order
     */
    record Changed(List<ReasonCode> reasons, List<Integer> withRetained) implements ChangeOutcome {
        public Changed {
            reasons = List.copyOf(reasons);
            withRetained = List.copyOf(withRetained);
        }
    }

    /** The connection does not have the session any more: nothing has changed. */
    record NotHeld() implements ChangeOutcome {
        static final NotHeld INSTANCE = new NotHeld();
    }

    /** The changes could not be committed: they may be lost. */
    record Failed(String detail) implements ChangeOutcome {}

    /** Another node decides about the client by now, or will in a moment: nothing has changed. */
    enum Moved implements ChangeOutcome {
        INSTANCE
    }
}

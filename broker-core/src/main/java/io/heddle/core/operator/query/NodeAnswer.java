package io.heddle.core.operator.query;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a node has answered, or why it has not. Immutable, except for the bytes. */
public final class NodeAnswer {
    /** The result of a question. */
    public enum Outcome {
        /** The node has answered. */
        ANSWERED,
        /** The node could not answer; its log says why, unless it has just started. */
        FAILED,
        /** Too many questions of this node are unanswered. */
        BUSY,
        /** The link to the node is down, or its lane is full. */
        UNREACHABLE,
        /** No answer has arrived in time. An action may have been carried out, or may be later. */
        TIMED_OUT,
        /** The node has left or was declared dead before it answered. */
        ENDED;

        /** Returns the label of the outcome in metrics. */
        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Outcome outcome;
    private final byte @Nullable [] bytes;

    private NodeAnswer(Outcome outcome, byte @Nullable [] bytes) {
        this.outcome = outcome;
        this.bytes = bytes;
    }

    static NodeAnswer of(byte[] bytes) {
        return new NodeAnswer(Outcome.ANSWERED, bytes);
    }

    static NodeAnswer without(Outcome outcome) {
        return new NodeAnswer(outcome, null);
    }

    public Outcome outcome() {
        return outcome;
    }

    /** Returns the answer in the format of its kind, not copied; null unless the outcome is {@link Outcome#ANSWERED}. */
    public byte @Nullable [] bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return outcome.tag();
    }
}

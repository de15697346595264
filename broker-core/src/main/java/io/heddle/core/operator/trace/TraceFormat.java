package io.heddle.core.operator.trace;

import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.trace.NodeTrace.Unconfirmed;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The question for the new events of a trace, which begins the trace if the node does not know it, and its answer. */
final class TraceFormat {
    static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);

    private TraceFormat() {}

    enum State {
        /** The node has its maximum of traces. */
        FULL,
        RUNNING,
        ENDED,
        /** The administrator has the maximum of traces. */
        ADMINISTRATOR_FULL
    }

    /**
     * @param begin of the trace at the node, or 0
     * @param received the number of the events since then that have been received
     * @param filter null if the trace ends
     */
    record Question(
            UUID id,
            String administrator,
            long begin,
            long received,
            boolean hasPayloads,
            @Nullable TraceFilter filter) {
        static Question toEnd(UUID id) {
            return new Question(id, "", 0, 0, false, null);
        }
    }

    /**
     * @param by the administrator who has ended it; else empty
     * @param begin tells the trace from an earlier one with the same id that the node has dropped
     */
    record Answer(State state, String by, long begin, Unconfirmed found) {
        static Answer without(State state) {
            return new Answer(state, "", 0, new Unconfirmed(0, List.of(), 0, 0));
        }

        static Answer endedBy(String administrator) {
            return new Answer(State.ENDED, administrator, 0, new Unconfirmed(0, List.of(), 0, 0));
        }

        /** Encodes as many of the events as fit. */
        byte[] encode(int maximumBytes) {
            return ANSWER.encode(
                    found.events(),
                    maximumBytes,
                    events -> new Answer(
                            state,
                            by,
                            begin,
                            new Unconfirmed(found.confirmed(), events, found.suppressed(), found.lost())));
        }
    }
}

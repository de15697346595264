package io.heddle.core.operator.query;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.query.NodeAnswer.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A question to another node, or its answer.
 *
 * <pre>
 * u8   version, 2
 * i64  number of the question at its sender
 * u8   code of the kind of question, or code of the outcome
 *      question or answer, to the end
 * </pre>
 */
record QueryFrame(long number, int code, Body body) {
    private static final int VERSION = 2;

    static final int HEADER_BYTES = Byte.BYTES + Long.BYTES + Byte.BYTES;

    private static final Outcome[] OUTCOMES = {
        Outcome.ANSWERED, Outcome.FAILED, Outcome.BUSY,
    };

    @SuppressWarnings("ArrayRecordComponent") // Neither compared nor printed.
    record Body(byte[] bytes) {
        static final Body EMPTY = new Body(new byte[0]);
    }

    static byte[] question(long number, QuestionKind kind, byte[] question) {
        return encode(number, kind.code(), question);
    }

    static byte[] answer(long number, NodeAnswer answer) {
        byte[] bytes = answer.bytes();
        return encode(number, code(answer.outcome()), bytes == null ? Body.EMPTY.bytes() : bytes);
    }

    private static byte[] encode(long number, int code, byte[] body) {
        return new BinaryWriter().u8(VERSION).i64(number).u8(code).raw(body).toBytes();
    }

    private static int code(Outcome outcome) {
        for (int code = 0; code < OUTCOMES.length; code++) {
            if (OUTCOMES[code] == outcome) {
                return code;
            }
        }
        throw new IllegalArgumentException("no node answers that its answer is " + outcome.tag());
    }

    /** @throws io.heddle.core.message.frame.MalformedFrameException if it is truncated, or of another version */
    static QueryFrame decode(byte[] bytes) {
        FrameReader in = new FrameReader("a question between nodes", bytes);
        in.version(VERSION);
        return new QueryFrame(in.i64(), in.u8(), new Body(in.rest()));
    }

    /** Returns the kind of question; null if there is no such kind. */
    @Nullable
    QuestionKind kind() {
        for (QuestionKind each : QuestionKind.values()) {
            if (each.code() == code) {
                return each;
            }
        }
        return null;
    }

    NodeAnswer toAnswer() {
        Outcome outcome = code < OUTCOMES.length ? OUTCOMES[code] : Outcome.FAILED;
        return outcome == Outcome.ANSWERED ? NodeAnswer.of(body.bytes()) : NodeAnswer.without(outcome);
    }
}

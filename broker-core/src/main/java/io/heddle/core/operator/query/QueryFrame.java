package io.heddle.core.operator.query;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.query.NodeAnswer.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * A question to another node, or its answer. The number is at the same place in all versions, so that a node can refuse a question that it
 * cannot read.
 *
 * <pre>
 * u8   version, 1
 * i64  number of the question at its sender
 * u8   code of the kind of question, or code of the outcome
 *      question or answer, to the end
 * </pre>
 *
 * @param version of the frame; only frames of version 1 have a known code and body
 */
record QueryFrame(int version, long number, int code, Body body) {
    static final int VERSION = 1;

    /** The bytes besides the body. */
    static final int HEADER_BYTES = Byte.BYTES + Long.BYTES + Byte.BYTES;

    private static final Outcome[] OUTCOMES = {
        Outcome.ANSWERED, Outcome.UNSUPPORTED, Outcome.FAILED, Outcome.BUSY,
    };

    /** The bytes of a question or an answer. */
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

    /**
     * Reads a frame of any version.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it is truncated
     */
    static QueryFrame decode(byte[] bytes) {
        FrameReader in = new FrameReader("a question between nodes", bytes);
        int version = in.u8();
        long number = in.i64();
        return version == VERSION
                ? new QueryFrame(version, number, in.u8(), new Body(in.rest()))
                : new QueryFrame(version, number, 0, Body.EMPTY);
    }

    boolean isReadable() {
        return version == VERSION;
    }

    /** Returns the kind of question; null if this node does not know it. */
    @Nullable
    QuestionKind kind() {
        for (QuestionKind each : QuestionKind.values()) {
            if (isReadable() && each.code() == code) {
                return each;
            }
        }
        return null;
    }

    /** Returns the answer; unsupported if this node cannot read it. */
    NodeAnswer toAnswer() {
        if (!isReadable() || code >= OUTCOMES.length) {
            return NodeAnswer.without(Outcome.UNSUPPORTED);
        }
        Outcome outcome = OUTCOMES[code];
        return outcome == Outcome.ANSWERED ? NodeAnswer.of(body.bytes()) : NodeAnswer.without(outcome);
    }
}

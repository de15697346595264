package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.PositionChange;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.registrar.SessionRegistrar;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Changes positions on the node that holds the client's bucket. All nodes are asked, and the others answer that they do not decide: so no node
 * needs to know the holder. Thread-safe.
 *
 * <pre>
 * question: u8 version, 1   text client id   u8 1 beginning, 2 end, 3 time, 4 sequence number   i64 milliseconds or sequence number
 * answer:   u8 version, 1   u8 0 done, 1 no session, 2 unfinished QoS 2, 3 moved   i64 position before   i64 position after
 * </pre>
 */
public final class SeekQuestions implements ApplicationLogAdministration.Seeks {
    private static final String QUESTION = "a question for a position";
    private static final int VERSION = 1;
    /** Below the time that a node has for its answer. */
    private static final Duration LIMIT = NodeQuestions.LIMIT.minusMillis(300);

    private static final int BEGINNING = 1;
    private static final int END = 2;
    private static final int SINCE = 3;
    private static final int SEQUENCE = 4;

    private static final int DONE = 0;

    private static final List<SeekOutcome.Refused> REFUSALS =
            List.of(SeekOutcome.Refused.NO_SESSION, SeekOutcome.Refused.UNFINISHED_QOS2, SeekOutcome.Refused.MOVED);

    private final NodeQuestions questions;

    public SeekQuestions(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes, this one included. Called once. */
    public void answer(SessionRegistrar registrar) {
        questions.answer(QuestionKind.SEEK, (question, _) -> {
            FrameReader in = new FrameReader(QUESTION, question);
            int _ = in.u8();
            ClientId clientId = new ClientId(in.text());
            LogPosition position = position(in.u8(), in.i64());
            return encode(Answers.await(
                    registrar.seek(clientId, position),
                    LIMIT,
                    "the change of a position",
                    StoreUnavailableException::new));
        });
    }

    @Override
    public CompletionStage<SeekOutcome> seek(ClientId clientId, LogPosition position) {
        BinaryWriter question = new BinaryWriter().u8(VERSION).text(clientId.value());
        switch (position) {
            case LogPosition.Beginning _ -> question.u8(BEGINNING).i64(0);
            case LogPosition.End _ -> question.u8(END).i64(0);
            case LogPosition.Since(long millis) -> question.u8(SINCE).i64(millis);
            case LogPosition.Sequence(long sequence) -> question.u8(SEQUENCE).i64(sequence);
        }
        return questions.askAll(QuestionKind.SEEK, question.toBytes()).thenApply(answers -> outcome(answers.values()));
    }

    private static LogPosition position(int kind, long value) {
        return switch (kind) {
            case BEGINNING -> LogPosition.Beginning.BEGINNING;
            case END -> LogPosition.End.END;
            case SINCE -> new LogPosition.Since(value);
            default -> new LogPosition.Sequence(value);
        };
    }

    private static byte[] encode(SeekOutcome outcome) {
        return switch (outcome) {
            case SeekOutcome.Done(PositionChange change) ->
                new BinaryWriter()
                        .u8(VERSION)
                        .u8(DONE)
                        .i64(change.before())
                        .i64(change.after())
                        .toBytes();
            case SeekOutcome.Refused refused ->
                new BinaryWriter()
                        .u8(VERSION)
                        .u8(REFUSALS.indexOf(refused) + 1)
                        .i64(0)
                        .i64(0)
                        .toBytes();
        };
    }

    private static SeekOutcome outcome(Collection<NodeAnswer> answers) {
        NodeAnswer.Outcome missing = null;
        for (NodeAnswer each : answers) {
            byte[] bytes = each.bytes();
            if (bytes == null) {
                missing = each.outcome();
                continue;
            }
            SeekOutcome outcome = decode(bytes);
            if (outcome != SeekOutcome.Refused.MOVED) {
                return outcome;
            }
        }
        if (missing != null) {
            throw new StoreUnavailableException(
                    "the node that decides about the client has not answered: " + missing, null);
        }
        return SeekOutcome.Refused.MOVED;
    }

    private static SeekOutcome decode(byte[] bytes) {
        FrameReader in = new FrameReader("an answer about a position", bytes);
        int _ = in.u8();
        int outcome = in.u8();
        return outcome == DONE ? new SeekOutcome.Done(new PositionChange(in.i64(), in.i64())) : refusal(in, outcome);
    }

    private static SeekOutcome refusal(FrameReader in, int outcome) {
        if (outcome > REFUSALS.size()) {
            throw in.malformed("there is no refusal " + outcome);
        }
        return REFUSALS.get(outcome - 1);
    }
}

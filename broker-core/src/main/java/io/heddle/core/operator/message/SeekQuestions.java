package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.LogPosition;
import io.heddle.core.delivery.application.SeekOutcome;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.session.registrar.SessionRegistrar;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/**
 * Changes positions on the node that holds the client's bucket. All nodes are asked, and the others answer that they do not decide: so no node
 * needs to know the holder. Thread-safe.
 */
public final class SeekQuestions implements ApplicationLogAdministration.Seeks {
    private static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);
    /** Below the time that a node has for its answer. */
    private static final Duration LIMIT = NodeQuestions.LIMIT.minusMillis(300);

    private final NodeQuestions questions;

    private record Question(ClientId clientId, LogPosition position) {}

    private record Answer(SeekOutcome outcome) {}

    public SeekQuestions(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes, this one included. Called once. */
    public void answer(SessionRegistrar registrar) {
        questions.answer(QuestionKind.SEEK, (question, _) -> {
            Question asked = QUESTION.decode(question);
            return ANSWER.encode(new Answer(Answers.await(
                    registrar.seek(asked.clientId(), asked.position()),
                    LIMIT,
                    "the change of a position",
                    StoreUnavailableException::new)));
        });
    }

    @Override
    public CompletionStage<SeekOutcome> seek(ClientId clientId, LogPosition position) {
        return questions
                .askAll(QuestionKind.SEEK, QUESTION.encode(new Question(clientId, position)))
                .thenApply(answers -> outcome(answers.values()));
    }

    private static SeekOutcome outcome(Collection<NodeAnswer> answers) {
        NodeAnswer.Outcome missing = null;
        for (NodeAnswer each : answers) {
            byte[] bytes = each.bytes();
            if (bytes == null) {
                missing = each.outcome();
                continue;
            }
            SeekOutcome outcome = ANSWER.decode(bytes).outcome();
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
}

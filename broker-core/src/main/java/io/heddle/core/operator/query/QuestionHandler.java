package io.heddle.core.operator.query;

/** Answers the questions of one kind, on a thread of its own that may block. */
@FunctionalInterface
public interface QuestionHandler {
    /**
     * Answers a question of this node or of another one, within {@link NodeQuestions#LIMIT}: later answers are dropped. An exception is
     * logged, and the question counts as failed.
     *
     * @param question in the format of its kind
     * @param maximumBytes the largest answer; a list is cut to fit
     */
    byte[] answer(byte[] question, int maximumBytes);
}

package io.heddle.core.operator.rule;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.operator.rule.RuleDryRun.Loss;
import io.heddle.core.operator.rule.RuleDryRun.Result;
import io.heddle.core.session.LocalSessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Asks all nodes which subscriptions of their connected clients proposed rules would deny, and which of the latest decisions they would take
 * otherwise. Thread-safe; blocks.
 */
final class RuleDryRuns {
    private static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);
    private static final int MAXIMUM_LOSSES = 1_000;
    private static final int MAXIMUM_CHANGES = 1_000;

    private final NodeQuestions questions;

    private record Question(String rules) {}

    private record Answer(Result subscriptions, RehearsedDecisions decisions) {}

    RuleDryRuns(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes, this one included. Called once. */
    void answer(LocalSessions sessions) {
        questions.answer(QuestionKind.DRY_RUN, (question, maximumBytes) -> {
            RuleSet proposed = rules(QUESTION.decode(question));
            CompletionStage<Result> subscriptions = RuleDryRun.of(sessions, proposed, MAXIMUM_LOSSES);
            CompletionStage<List<RehearsedDecisions>> decisions = DecisionRehearsal.of(sessions.decisions(), proposed);
            return encode(
                    await(subscriptions), RehearsedDecisions.merge(await(decisions), MAXIMUM_CHANGES), maximumBytes);
        });
    }

    private static RuleSet rules(Question question) {
        try {
            return RuleSet.read(question.rules());
        } catch (RuleSyntaxException wrong) {
            throw new IllegalArgumentException("another node asks about wrong rules", wrong);
        }
    }

    private static <T> T await(CompletionStage<T> ofLoops) {
        return Answers.await(
                ofLoops, NodeQuestions.LIMIT, "the dry run of the event loops", StoreUnavailableException::new);
    }

    /** Returns what the proposed rules would change, as far as the nodes have answered. */
    DryRun of(String text) {
        List<DryRun.NodeLoss> losses = new ArrayList<>();
        List<Result> results = new ArrayList<>();
        List<RehearsedDecisions> rehearsed = new ArrayList<>();
        List<String> answered = new ArrayList<>();
        List<String> missing =
                questions.forEachAnswer(QuestionKind.DRY_RUN, QUESTION.encode(new Question(text)), (node, bytes) -> {
                    Answer answer = ANSWER.decode(bytes);
                    results.add(answer.subscriptions());
                    answer.subscriptions().losses().forEach(each -> losses.add(new DryRun.NodeLoss(node, each)));
                    rehearsed.add(answer.decisions().at(node));
                    answered.add(node);
                });
        return new DryRun(
                results.stream().mapToLong(Result::clients).sum(),
                results.stream().mapToLong(Result::subscriptions).sum(),
                results.stream().mapToLong(Result::losingClients).sum(),
                results.stream().mapToLong(Result::lostSubscriptions).sum(),
                losses.subList(0, Math.min(losses.size(), MAXIMUM_LOSSES)),
                RehearsedDecisions.merge(rehearsed, MAXIMUM_CHANGES),
                answered,
                missing);
    }

    /** Encodes the first losses that fit into half of the bytes, and the first changes that fit into the rest. */
    private static byte[] encode(Result all, RehearsedDecisions rehearsed, int maximumBytes) {
        List<Loss> losses = RecordFormat.fitting(all.losses(), maximumBytes / 2);
        Result result =
                new Result(all.clients(), all.subscriptions(), all.losingClients(), all.lostSubscriptions(), losses);
        return ANSWER.encode(rehearsed.changes(), maximumBytes, changes -> new Answer(result, rehearsed.with(changes)));
    }
}

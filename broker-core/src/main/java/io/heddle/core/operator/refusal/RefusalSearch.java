package io.heddle.core.operator.refusal;

import io.heddle.core.client.RecentRefusals;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds what all nodes have refused last. Thread-safe; blocks its callers, so not on an event loop. */
public final class RefusalSearch {
    private static final RecordFormat<RefusalQuery> QUESTION = RecordFormat.of(RefusalQuery.class);
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);

    private final NodeQuestions questions;

    private record Answer(List<Refusal> refusals) {}

    public RefusalSearch(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes about the refusals of this one. Called once. */
    public void answer(RecentRefusals own) {
        questions.answer(QuestionKind.REFUSALS, (question, maximumBytes) -> {
            RefusalQuery query = QUESTION.decode(question);
            return ANSWER.encode(own.latest(query::matches, query.limit()), maximumBytes, Answer::new);
        });
    }

    /** Returns a page of the refusals of all nodes. */
    public RefusalPage find(RefusalQuery query) {
        List<RefusalPage.Entry> entries = new ArrayList<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.REFUSALS,
                QUESTION.encode(query),
                (node, answer) -> ANSWER.decode(answer)
                        .refusals()
                        .forEach(each -> entries.add(new RefusalPage.Entry(node, each))));
        entries.sort(
                Comparator.comparing((RefusalPage.Entry each) -> each.refusal().last())
                        .reversed());
        return new RefusalPage(entries.subList(0, Math.min(query.limit(), entries.size())), missing);
    }
}

package io.heddle.core.operator.alert;

import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.alert.ClusterAlerts.Entry;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the alerts that fire at all nodes. Thread-safe; blocks its callers, so not on an event loop. */
public final class AlertSearch {
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);

    private final NodeQuestions questions;

    private record Answer(List<Alert> alerts) {}

    public AlertSearch(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes about the alerts of this one. Called once. */
    public void answer(AlertWatch own) {
        questions.answer(
                QuestionKind.ALERTS, (_, maximumBytes) -> ANSWER.encode(own.alerts(), maximumBytes, Answer::new));
    }

    public ClusterAlerts find() {
        List<Entry> entries = new ArrayList<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.ALERTS,
                NodeQuestions.EMPTY,
                (node, answer) -> ANSWER.decode(answer).alerts().forEach(each -> entries.add(new Entry(node, each))));
        entries.sort(Comparator.comparing((Entry each) -> each.alert().severity())
                .thenComparing(each -> each.alert().age()));
        return new ClusterAlerts(entries, missing);
    }
}

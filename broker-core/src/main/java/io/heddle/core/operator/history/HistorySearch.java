package io.heddle.core.operator.history;

import io.heddle.core.operator.history.HistoryFormat.Question;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the figures of all nodes. Thread-safe; blocks its callers, so not on an event loop. */
public final class HistorySearch {
    private final NodeQuestions questions;
    private final InstantSource time;

    /** @param time of the clock of this node */
    public HistorySearch(NodeQuestions questions, InstantSource time) {
        this.questions = questions;
        this.time = time;
    }

    /** Answers the questions of all nodes about the figures of this one. Called once. */
    public void answer(History own) {
        questions.answer(QuestionKind.HISTORY, (question, maximumBytes) -> {
            Question asked = Question.decode(question);
            HistoryPage page = own.read(asked.range(), key -> isChosen(key, asked.figures()));
            return HistoryFormat.answer(page, time.millis(), maximumBytes);
        });
    }

    private static boolean isChosen(String key, Set<String> figures) {
        return figures.isEmpty()
                || figures.contains(key)
                || (key.startsWith(Figure.DROPPED) && figures.contains(Figure.ALL_DROPPED));
    }

    /**
     * Returns figures of all nodes.
     *
     * @param figures their names, 255 at most; all if it is empty
     */
    public ClusterHistory find(Range range, Set<String> figures) {
        SortedMap<String, HistoryPage> pages = new TreeMap<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.HISTORY,
                new Question(range, figures).encode(),
                (node, answer) -> pages.put(node, HistoryFormat.answer(range, answer, time.millis())));
        return ClusterHistory.of(range, pages, missing);
    }
}

package io.heddle.core.operator.history;

import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the figures of all nodes. Thread-safe; blocks its callers, so not on an event loop. */
public final class HistorySearch {
    private static final RecordFormat<Question> QUESTION = RecordFormat.of(Question.class);
    private static final RecordFormat<Answer> ANSWER = RecordFormat.of(Answer.class);

    private final NodeQuestions questions;
    private final InstantSource time;

    /** @param figures all if it is empty */
    private record Question(Range range, Set<String> figures) {}

    /** @param nowMillis the time of day at the node */
    record Answer(long nowMillis, long lastMillis, List<Series> series) {}

    @SuppressWarnings("ArrayRecordComponent") // Neither compared nor printed.
    private record Series(String figure, float[] values) {}

    /** @param time of the clock of this node */
    public HistorySearch(NodeQuestions questions, InstantSource time) {
        this.questions = questions;
        this.time = time;
    }

    /** Answers the questions of all nodes about the figures of this one. Called once. */
    public void answer(History own) {
        questions.answer(QuestionKind.HISTORY, (question, maximumBytes) -> {
            Question asked = QUESTION.decode(question);
            HistoryPage page = own.read(asked.range(), key -> isChosen(key, asked.figures()));
            return encode(page, time.millis(), maximumBytes);
        });
    }

    private static boolean isChosen(String key, Set<String> figures) {
        return figures.isEmpty()
                || figures.contains(key)
                || (key.startsWith(Figure.DROPPED) && figures.contains(Figure.ALL_DROPPED));
    }

    /** @param figures their names, 255 at most; all if it is empty */
    public ClusterHistory find(Range range, Set<String> figures) {
        SortedMap<String, HistoryPage> pages = new TreeMap<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.HISTORY,
                QUESTION.encode(new Question(range, figures)),
                (node, answer) -> pages.put(node, decode(range, answer, time.millis())));
        return ClusterHistory.of(range, pages, missing);
    }

    /** Writes as many of the figures as fit. */
    static byte[] encode(HistoryPage page, long nowMillis, int maximumBytes) {
        List<Series> series = new ArrayList<>();
        page.series().forEach((figure, values) -> series.add(new Series(figure, values)));
        return ANSWER.encode(series, maximumBytes, fitting -> new Answer(nowMillis, page.lastMillis(), fitting));
    }

    /**
     * Reads an answer. The times of a node whose clock is steps ahead or behind become those of this node, so that its values are merged with
     * values of the same time.
     */
    static HistoryPage decode(Range range, byte[] bytes, long nowMillis) {
        Answer answer = ANSWER.decode(bytes);
        Map<String, float[]> series = new TreeMap<>();
        answer.series().forEach(each -> series.put(each.figure(), each.values()));
        long step = range.step().toMillis();
        long wrongMillis = Math.round((double) (answer.nowMillis() - nowMillis) / step) * step;
        return new HistoryPage(range, answer.lastMillis() == 0 ? 0 : answer.lastMillis() - wrongMillis, series);
    }
}

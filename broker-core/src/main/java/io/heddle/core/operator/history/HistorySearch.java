package io.heddle.core.operator.history;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.operator.history.HistoryFormat.Question;
import io.heddle.core.operator.query.NodeAnswer;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.sys.history.Figure;
import io.heddle.core.sys.history.History;
import io.heddle.core.sys.history.HistoryPage;
import io.heddle.core.sys.history.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the figures of all nodes. Thread-safe; blocks its callers, so not on an event loop. */
public final class HistorySearch {
    private final NodeQuestions questions;

    public HistorySearch(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes about the figures of this one. Called once. */
    public void answer(History own) {
        questions.answer(QuestionKind.HISTORY, (question, maximumBytes) -> {
            Question asked = Question.decode(question);
            HistoryPage page = own.read(asked.range(), key -> isChosen(key, asked.figures()));
            return HistoryFormat.answer(page, maximumBytes);
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
        Map<Incarnation, NodeId> members = questions.members();
        SortedMap<String, HistoryPage> pages = new TreeMap<>();
        List<String> missing = new ArrayList<>();
        for (Map.Entry<Incarnation, NodeAnswer> each : questions
                .askAll(QuestionKind.HISTORY, new Question(range, figures).encode())
                .join()
                .entrySet()) {
            NodeId member = members.get(each.getKey());
            String node = member == null ? each.getKey().toString() : member.value();
            HistoryPage page = decode(range, each.getValue().bytes());
            if (page == null) {
                missing.add(node);
            } else {
                pages.put(node, page);
            }
        }
        return ClusterHistory.of(range, pages, missing);
    }

    /** Returns null without an answer, and for that of a node of another build that this one cannot read. */
    private static @Nullable HistoryPage decode(Range range, byte @Nullable [] bytes) {
        try {
            return bytes == null ? null : HistoryFormat.answer(range, bytes);
        } catch (MalformedFrameException unreadable) {
            return null;
        }
    }
}

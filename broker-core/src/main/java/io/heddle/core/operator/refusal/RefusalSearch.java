package io.heddle.core.operator.refusal;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.RecentRefusals;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Finds what all nodes have refused last. Thread-safe; blocks its callers, so not on an event loop. */
public final class RefusalSearch {
    private final NodeQuestions questions;

    public RefusalSearch(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes about the refusals of this one. Called once. */
    public void answer(RecentRefusals own) {
        questions.answer(QuestionKind.REFUSALS, (question, maximumBytes) -> {
            RefusalQuery query = RefusalFormat.question(question);
            return RefusalFormat.answer(own.latest(query::matches, query.limit()), maximumBytes);
        });
    }

    /** Returns a page of the refusals of all nodes. */
    public RefusalPage find(RefusalQuery query) {
        Map<Incarnation, NodeId> members = questions.members();
        List<RefusalPage.Entry> entries = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        Answers.await(
                        questions.askAll(QuestionKind.REFUSALS, RefusalFormat.question(query)),
                        "refusals",
                        StoreUnavailableException::new)
                .forEach((member, answer) -> {
                    String node = String.valueOf(members.get(member));
                    byte[] bytes = answer.bytes();
                    if (bytes == null || !addAll(entries, node, bytes)) {
                        missing.add(node);
                    }
                });
        entries.sort(
                Comparator.comparing((RefusalPage.Entry each) -> each.refusal().last())
                        .reversed());
        return new RefusalPage(entries.subList(0, Math.min(query.limit(), entries.size())), missing);
    }

    /** Returns false for the answer of a node of another build that this one cannot read. */
    private static boolean addAll(List<RefusalPage.Entry> entries, String node, byte[] bytes) {
        try {
            for (Refusal each : RefusalFormat.answer(bytes)) {
                entries.add(new RefusalPage.Entry(node, each));
            }
            return true;
        } catch (MalformedFrameException unreadable) {
            return false;
        }
    }
}

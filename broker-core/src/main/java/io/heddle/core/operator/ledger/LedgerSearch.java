package io.heddle.core.operator.ledger;

import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.heddle.core.sys.ledger.LedgerReport;
import io.heddle.core.sys.ledger.LedgerWatch;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds what the accounts of all nodes show. Thread-safe; blocks its callers, so not on an event loop. */
public final class LedgerSearch {
    private static final RecordFormat<LedgerReport> ANSWER = RecordFormat.of(LedgerReport.class);

    private final NodeQuestions questions;

    public LedgerSearch(NodeQuestions questions) {
        this.questions = questions;
    }

    /** Answers the questions of all nodes about the accounts of this one. Called once. */
    public void answer(LedgerWatch own) {
        questions.answer(QuestionKind.LEDGER, (_, _) -> ANSWER.encode(own.report()));
    }

    /** Returns what the accounts of all nodes show. */
    public ClusterLedger find() {
        SortedMap<String, LedgerReport> reports = new TreeMap<>();
        List<String> missing = questions.forEachAnswer(
                QuestionKind.LEDGER, NodeQuestions.EMPTY, (node, answer) -> reports.put(node, ANSWER.decode(answer)));
        return new ClusterLedger(reports, missing);
    }
}

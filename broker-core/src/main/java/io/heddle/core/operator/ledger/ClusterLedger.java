package io.heddle.core.operator.ledger;

import io.heddle.core.sys.ledger.LedgerReport;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The flows and differences in the accounts of the nodes.
 *
 * @param nodes by their names
 * @param missingNodes members that have not answered
 */
public record ClusterLedger(SortedMap<String, LedgerReport> nodes, List<String> missingNodes) {
    public ClusterLedger {
        nodes = Collections.unmodifiableSortedMap(new TreeMap<>(nodes));
        missingNodes = List.copyOf(missingNodes);
    }

    /** Returns the sums of all nodes. */
    public LedgerReport cluster() {
        return nodes.values().stream().reduce(LedgerReport.NONE, LedgerReport::plus);
    }
}

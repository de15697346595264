package io.heddle.core.sys.ledger;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import java.util.EnumMap;
import java.util.Map;

/**
 * The flows and differences in the accounts of a node, or of all nodes.
 *
 * @param seconds over which the flows were counted; 0 before the first check after a start
 * @param flows the copies that have entered or left in that time; those that are held now
 * @param differences the copies that have entered since the start of a node, have not left, and are not held; by account; none until the node has checked for a minute
 */
public record LedgerReport(long seconds, Map<Flow, Long> flows, Map<Account, Long> differences) {
    /** Before the first check. */
    public static final LedgerReport NONE = new LedgerReport(0, Map.of(), Map.of());

    public LedgerReport {
        flows = Map.copyOf(flows);
        differences = Map.copyOf(differences);
    }

    /** Returns the sums of two nodes, whose times are nearly the same. */
    public LedgerReport plus(LedgerReport other) {
        Map<Flow, Long> allFlows = new EnumMap<>(Flow.class);
        allFlows.putAll(flows);
        other.flows.forEach((flow, copies) -> allFlows.merge(flow, copies, Long::sum));
        Map<Account, Long> allDifferences = new EnumMap<>(Account.class);
        allDifferences.putAll(differences);
        other.differences.forEach((account, copies) -> allDifferences.merge(account, copies, Long::sum));
        return new LedgerReport(Math.max(seconds, other.seconds), allFlows, allDifferences);
    }
}

package io.heddle.core.operator.rule;

import io.heddle.core.operator.rule.RuleDryRun.Loss;
import java.util.List;

/**
 * The subscriptions in the cluster that proposed rules would deny, and the latest decisions that they would take otherwise.
 *
 * @param clients that were checked
 * @param subscriptions that were checked
 * @param losingClients which would lose a subscription or more
 * @param lostSubscriptions of these clients
 * @param losses some of these subscriptions
 * @param decisions about clients of the members that have answered
 * @param nodes the ids of the members that have answered
 * @param missingNodes the ids of the members that have not answered
 */
public record DryRun(
        long clients,
        long subscriptions,
        long losingClients,
        long lostSubscriptions,
        List<NodeLoss> losses,
        RehearsedDecisions decisions,
        List<String> nodes,
        List<String> missingNodes) {
    /** @param node the id of the node of the client */
    public record NodeLoss(String node, Loss loss) {}

    public DryRun {
        losses = List.copyOf(losses);
        nodes = List.copyOf(nodes);
        missingNodes = List.copyOf(missingNodes);
    }
}

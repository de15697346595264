package io.heddle.api.rules;

import io.heddle.core.operator.rule.DryRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of connected clients that proposed rules would deny.
 *
 * @param losses the first 1,000 of the lost subscriptions
 * @param missingNodes ids of nodes that have not answered
 */
record DryRunResponse(
        long clients,
        long subscriptions,
        long losingClients,
        long lostSubscriptions,
        List<LossResponse> losses,
        List<String> missingNodes) {
    /** A subscription that would be lost. */
    record LossResponse(String clientId, @Nullable String userName, String topicFilter, String node) {}

    static DryRunResponse of(DryRun run) {
        return new DryRunResponse(
                run.clients(),
                run.subscriptions(),
                run.losingClients(),
                run.lostSubscriptions(),
                run.losses().stream()
                        .map(each -> new LossResponse(
                                each.loss().clientId(),
                                each.loss().userName(),
                                each.loss().topicFilter(),
                                each.node()))
                        .toList(),
                run.missingNodes());
    }
}

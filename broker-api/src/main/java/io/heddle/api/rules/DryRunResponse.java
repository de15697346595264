package io.heddle.api.rules;

import io.heddle.core.authorization.Action;
import io.heddle.core.operator.rule.ChangedDecision;
import io.heddle.core.operator.rule.DryRun;
import io.heddle.core.operator.rule.RehearsedDecisions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions of connected clients that proposed rules would deny, and the latest decisions that they would take otherwise.
 *
 * @param losses the first 1,000 of the lost subscriptions
 * @param notRehearsed the first words of lines that were not tried, such as limit
 * @param missingNodes ids of nodes that have not answered
 */
record DryRunResponse(
        long clients,
        long subscriptions,
        long losingClients,
        long lostSubscriptions,
        List<LossResponse> losses,
        DecisionsResponse decisions,
        List<String> notRehearsed,
        List<String> missingNodes) {
    /** A subscription that would be lost. */
    record LossResponse(String clientId, @Nullable String userName, String topicFilter, String node) {}

    /**
     * The sampled decisions of the last minutes.
     *
     * @param since null if there are none
     * @param nodes ids of nodes that have answered
     * @param changes the first 1,000 of those that the rules would take otherwise
     */
    record DecisionsResponse(
            long sampled,
            long distinct,
            @Nullable Instant since,
            List<String> nodes,
            long wouldDeny,
            long wouldAllow,
            List<ChangeResponse> changes) {
        static DecisionsResponse of(RehearsedDecisions rehearsed, List<String> nodes) {
            return new DecisionsResponse(
                    rehearsed.sampled(),
                    rehearsed.distinct(),
                    rehearsed.sinceMillis() == RehearsedDecisions.NEVER
                            ? null
                            : Instant.ofEpochMilli(rehearsed.sinceMillis()),
                    nodes,
                    rehearsed.wouldDeny(),
                    rehearsed.wouldAllow(),
                    rehearsed.changes().stream().map(ChangeResponse::of).toList());
        }
    }

    /** Equal decisions that would be others. */
    record ChangeResponse(
            String clientId,
            @Nullable String userName,
            Action action,
            String topic,
            int qos,
            boolean retain,
            Effect decision,
            Effect proposed,
            long sampled,
            Instant lastAt,
            List<String> nodes) {
        static ChangeResponse of(ChangedDecision change) {
            return new ChangeResponse(
                    change.clientId(),
                    change.userName(),
                    change.action(),
                    change.topic(),
                    change.qos().level(),
                    change.retain(),
                    change.wasAllowed() ? Effect.ALLOWED : Effect.DENIED,
                    change.wasAllowed() ? Effect.DENIED : Effect.ALLOWED,
                    change.count(),
                    Instant.ofEpochMilli(change.lastMillis()),
                    change.nodes());
        }
    }

    enum Effect {
        ALLOWED,
        DENIED
    }

    static DryRunResponse of(DryRun run, List<String> notRehearsed) {
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
                DecisionsResponse.of(run.decisions(), run.nodes()),
                notRehearsed,
                run.missingNodes());
    }
}

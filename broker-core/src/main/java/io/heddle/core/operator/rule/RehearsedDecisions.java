package io.heddle.core.operator.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sampled decisions that proposed rules would take otherwise.
 *
 * @param sampled the number of decisions
 * @param distinct the number of different ones; the same decision of two event loops or nodes counts twice
 * @param sinceMillis the time of the first one, in milliseconds since 1970; {@link #NEVER} if there are none
 * @param wouldDeny the number of sampled decisions that allowed requests, which would be denied
 * @param wouldAllow the number of sampled decisions that denied requests, which would be allowed
 * @param changes some of these decisions: of denials those with most samples, then others
 */
public record RehearsedDecisions(
        long sampled, long distinct, long sinceMillis, long wouldDeny, long wouldAllow, List<ChangedDecision> changes) {
    /** The time of no decision. */
    public static final long NEVER = Long.MAX_VALUE;

    public RehearsedDecisions {
        changes = List.copyOf(changes);
    }

    /** Adds up what event loops or nodes have found, with at most this number of changes. */
    static RehearsedDecisions merge(List<RehearsedDecisions> parts, int maximumChanges) {
        Map<ChangedDecision.Key, ChangedDecision> changes = new HashMap<>();
        parts.forEach(
                part -> part.changes.forEach(change -> changes.merge(change.key(), change, ChangedDecision::and)));
        return new RehearsedDecisions(
                parts.stream().mapToLong(RehearsedDecisions::sampled).sum(),
                parts.stream().mapToLong(RehearsedDecisions::distinct).sum(),
                parts.stream().mapToLong(RehearsedDecisions::sinceMillis).min().orElse(NEVER),
                parts.stream().mapToLong(RehearsedDecisions::wouldDeny).sum(),
                parts.stream().mapToLong(RehearsedDecisions::wouldAllow).sum(),
                changes.values().stream()
                        .sorted(ChangedDecision.ORDER)
                        .limit(maximumChanges)
                        .toList());
    }

    /** The same, with each change at this node. */
    RehearsedDecisions at(String node) {
        return with(changes.stream().map(each -> each.at(node)).toList());
    }

    /** The same with other changes. */
    RehearsedDecisions with(List<ChangedDecision> others) {
        return new RehearsedDecisions(sampled, distinct, sinceMillis, wouldDeny, wouldAllow, others);
    }
}

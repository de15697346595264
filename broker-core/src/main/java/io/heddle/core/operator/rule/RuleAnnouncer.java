package io.heddle.core.operator.rule;

import java.util.concurrent.CompletionStage;

/** Tells all nodes of the cluster about changed rules, by a record of the log of nodes. */
@FunctionalInterface
public interface RuleAnnouncer {
    /** Announces rules. The result completes when the record survives the loss of any one server, and fails if it may not be there. */
    CompletionStage<?> announce(long version, String rules);
}

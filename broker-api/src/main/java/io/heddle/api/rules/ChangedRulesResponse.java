package io.heddle.api.rules;

import io.heddle.core.operator.rule.ChangedRules;
import java.util.List;

/**
 * The result of a change.
 *
 * @param applied the ids of the nodes that apply the rules to everything that lives on them
 * @param missing the nodes that may not yet
 */
record ChangedRulesResponse(RulesResponse rules, List<String> applied, List<MissingNode> missing) {
    /** @param reason why it has not answered */
    record MissingNode(String nodeId, String reason) {}

    static ChangedRulesResponse of(ChangedRules changed) {
        return new ChangedRulesResponse(
                RulesResponse.of(changed.rules()),
                changed.applied(),
                changed.missing().entrySet().stream()
                        .map(each -> new MissingNode(each.getKey(), each.getValue()))
                        .toList());
    }
}

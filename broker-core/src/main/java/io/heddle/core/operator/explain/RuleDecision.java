package io.heddle.core.operator.explain;

import io.heddle.core.authorization.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * The decision of the rules about messages on a topic for a client.
 *
 * @param number of the rule that decides, from 1; 0 if it is the default
 * @param rule perhaps cut; null if it is the default
 */
public record RuleDecision(
        boolean isAllowed, int number, @Nullable String rule) {
    private static final int MAXIMUM_CHARACTERS = 1_000;

    static RuleDecision of(Explanation explanation) {
        Explanation.Considered decisive = explanation.decisive();
        return decisive == null
                ? new RuleDecision(explanation.isAllowed(), 0, null)
                : new RuleDecision(
                        explanation.isAllowed(),
                        decisive.number(),
                        cut(decisive.rule().toString()));
    }

    private static String cut(String rule) {
        return rule.length() <= MAXIMUM_CHARACTERS ? rule : rule.substring(0, MAXIMUM_CHARACTERS) + "...";
    }
}

package io.heddle.core.authorization;

import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reasons of a decision.
 *
 * @param topic of the message, or a topic that the filter of the subscription matches: a denied one, if there is any. A level {@code +}
 *     stands for any name that is in no rule
 * @param decisive the rule that decides, or null for the default
 * @param considered the rules for this client that match the topic, in their order
 * @param isTooComplex whether a subscription is refused because the check would take too much work, and not by a rule
 */
public record Explanation(
        boolean isAllowed,
        String topic,
        @Nullable Considered decisive,
        List<Considered> considered,
        boolean isTooComplex) {
    /**
     * A rule that matches the topic.
     *
     * @param number its place in the rule set, from 1
     * @param applies whether it is for the action and the conditions of the request
     */
    public record Considered(int number, Rule rule, boolean applies) {}

    static Explanation of(CompiledRules rules, TopicName topic, int kind, boolean isRefused) {
        List<Integer> entries = new ArrayList<>();
        for (RuleNode root : rules.roots()) {
            root.findAll(topic, 0, rules.values(), entries);
        }
        List<Considered> considered = new ArrayList<>();
        Considered decisive = null;
        int decided = rules.decide(topic, kind);
        for (int entry : entries.stream().sorted().toList()) {
            int position = RuleEntry.position(entry);
            Considered each =
                    new Considered(position + 1, rules.rules().rules().get(position), RuleEntry.decides(entry, kind));
            considered.add(each);
            decisive = entry == decided ? each : decisive;
        }
        boolean isAllowed = rules.isAllowed(decided, topic);
        return new Explanation(
                isAllowed && !isRefused, topic.value(), decisive, List.copyOf(considered), isAllowed && isRefused);
    }
}

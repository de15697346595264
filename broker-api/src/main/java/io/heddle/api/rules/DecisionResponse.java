package io.heddle.api.rules;

import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.Explanation;
import io.heddle.core.authorization.RuleOptions;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision of the rules about a request.
 *
 * @param decision ALLOWED, FILTERED (a subscription whose messages are checked one by one) or DENIED
 * @param topic of the message, or a topic that the filter matches: a denied one, if there is any
 * @param decidedBy the rule that decides about the topic; null if it is the default
 * @param considered all rules for the client that match the topic, in their order
 * @param isTooComplex whether the subscription is refused because the check would take too much work
 */
record DecisionResponse(
        SubscriptionDecision decision,
        String topic,
        @Nullable ConsideredRule decidedBy,
        String defaultEffect,
        List<ConsideredRule> considered,
        boolean isTooComplex) {
    /**
     * A rule that matches the topic.
     *
     * @param number its place among the rules, from 1
     * @param applies whether it is for the action, QoS and RETAIN flag of the request
     */
    record ConsideredRule(int number, String rule, boolean applies) {
        static ConsideredRule of(Explanation.Considered considered) {
            return new ConsideredRule(considered.number(), considered.rule().toString(), considered.applies());
        }
    }

    static DecisionResponse of(CompiledRules rules, TopicName topic, QoS qos, boolean retain) {
        Explanation explanation = rules.explainPublish(topic, qos, retain);
        return of(
                explanation.isAllowed() ? SubscriptionDecision.ALLOWED : SubscriptionDecision.DENIED,
                explanation,
                rules.options());
    }

    static DecisionResponse of(CompiledRules rules, TopicFilter filter, QoS qos) {
        return of(rules.decideSubscription(filter, qos), rules.explainSubscribe(filter, qos), rules.options());
    }

    private static DecisionResponse of(SubscriptionDecision decision, Explanation explanation, RuleOptions options) {
        Explanation.Considered decisive = explanation.decisive();
        return new DecisionResponse(
                decision,
                explanation.topic(),
                decisive == null ? null : ConsideredRule.of(decisive),
                options.defaultEffect().name(),
                explanation.considered().stream().map(ConsideredRule::of).toList(),
                explanation.isTooComplex());
    }
}

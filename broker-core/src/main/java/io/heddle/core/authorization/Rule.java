package io.heddle.core.authorization;

import io.heddle.core.mqtt.QoS;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Allows or denies an action on topics. {@link #toString} returns the line that {@link #parse} reads, such as
 * {@code allow publish sensors/${clientId}/# qos 0,1 retain no for user alice}.
 *
 * @param actions at least one
 * @param qos the QoS of the message, or the QoS that a subscription requests; at least one
 * @param retain the RETAIN flag of the message; null for both values
 * @param selector the clients that the rule is for
 */
public record Rule(
        Effect effect,
        Set<Action> actions,
        RuleFilter filter,
        Set<QoS> qos,
        @Nullable Boolean retain,
        Selector selector) {
    /** @throws IllegalArgumentException with one sentence if the rule would match nothing, or has RETAIN for subscriptions */
    public Rule {
        actions = Set.copyOf(actions);
        qos = Set.copyOf(qos);
        if (actions.isEmpty() || qos.isEmpty()) {
            throw new IllegalArgumentException("a rule has at least one action and one QoS");
        }
        if (retain != null && actions.contains(Action.SUBSCRIBE)) {
            throw new IllegalArgumentException(
                    "only rules for 'publish' have 'retain': write one rule for each action");
        }
    }

    /** @throws RuleSyntaxException if the line is not a rule */
    public static Rule parse(String line) throws RuleSyntaxException {
        return new RuleParser(line).rule();
    }

    /** Returns whether it depends on a property that a client has only while it is connected. */
    boolean needsConnection() {
        return switch (selector.kind()) {
            case GROUP, ATTRIBUTE, ADDRESS -> true;
            case EVERYONE, ANONYMOUS, CLIENT, USER -> filter.needsAttributes();
        };
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        text.add(effect == Effect.ALLOW ? "allow" : "deny");
        text.add(actions.size() > 1 ? "all" : actions.contains(Action.PUBLISH) ? "publish" : "subscribe");
        text.add(RuleWords.quoted(filter.value()));
        if (qos.size() < QoS.values().length) {
            StringJoiner levels = new StringJoiner(",");
            EnumSet.copyOf(qos).forEach(each -> levels.add(Integer.toString(each.level())));
            text.add("qos").add(levels.toString());
        }
        if (retain != null) {
            text.add("retain").add(retain ? "yes" : "no");
        }
        return text.add("for").add(selector.toString()).toString();
    }
}

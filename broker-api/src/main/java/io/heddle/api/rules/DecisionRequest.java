package io.heddle.api.rules;

import io.heddle.api.message.MqttText;
import io.heddle.api.problem.FieldProblems;
import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client that the rules decide about, and nothing carries out.
 *
 * @param attributes in the form NAME=VALUE
 * @param address an IP address; 127.0.0.1 if absent
 * @param action PUBLISH or SUBSCRIBE
 * @param topic a topic, or for SUBSCRIBE a topic filter
 * @param qos 0, 1 or 2; 0 if absent
 * @param retain for PUBLISH only; false if absent
 * @param rules that are tried out; the rules in force if absent
 */
record DecisionRequest(
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable List<String> groups,
        @Nullable List<String> attributes,
        @Nullable String address,
        @Nullable String action,
        @Nullable String topic,
        @Nullable Integer qos,
        @Nullable Boolean retain,
        @Nullable String rules) {
    /** @throws io.heddle.api.problem.RequestProblem that names all wrong fields */
    DecisionResponse decide(RuleSet inForce) {
        FieldProblems problems = new FieldProblems();
        ClientId client = MqttText.clientId(clientId, "clientId", problems);
        Map<String, String> named = attributes(problems);
        InetAddress from = address(problems);
        problems.require(qos == null || (qos >= 0 && qos <= 2), "qos", "Use 0, 1 or 2.");
        boolean isPublish = Action.PUBLISH.name().equals(action);
        problems.require(isPublish || Action.SUBSCRIBE.name().equals(action), "action", "Use PUBLISH or SUBSCRIBE.");
        TopicName name = isPublish ? MqttText.topic(topic, Integer.MAX_VALUE, "topic", problems) : null;
        TopicFilter filter = isPublish ? null : filter(problems);
        RuleSet set = rules == null ? inForce : RulesController.parse(rules, "rules", problems);
        problems.throwIfAny();
        CompiledRules compiled = Objects.requireNonNull(set)
                .forClient(new RuleSubject(
                        Objects.requireNonNull(client),
                        userName,
                        named,
                        groups == null ? Set.of() : Set.copyOf(groups),
                        new InetSocketAddress(Objects.requireNonNull(from), 0)));
        QoS level = qos == null ? QoS.AT_MOST_ONCE : QoS.ofLevel(qos);
        return name == null
                ? DecisionResponse.of(compiled, Objects.requireNonNull(filter), level)
                : DecisionResponse.of(compiled, name, level, retain != null && retain);
    }

    private Map<String, String> attributes(FieldProblems problems) {
        Map<String, String> named = new HashMap<>();
        for (String each : attributes == null ? List.<String>of() : attributes) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                problems.add("attributes", "Write each attribute as NAME=VALUE.");
            } else {
                named.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        return named;
    }

    /** A name would be looked up. */
    private @Nullable InetAddress address(FieldProblems problems) {
        try {
            return address == null ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(address);
        } catch (IllegalArgumentException wrong) {
            problems.add("address", "Use an IP address, such as 10.0.0.7.");
            return null;
        }
    }

    /** A shared subscription is allowed, as in SUBSCRIBE. */
    private @Nullable TopicFilter filter(FieldProblems problems) {
        try {
            if (topic != null && MqttText.isWellFormed(topic)) {
                return TopicFilter.parse(topic, Integer.MAX_VALUE);
            }
            problems.add("topic", "Name a topic filter of at most 65,535 bytes of UTF-8.");
        } catch (ProtocolException wrong) {
            problems.add("topic", "This is not a valid topic filter: " + wrong.getMessage() + ".");
        }
        return null;
    }
}

package io.heddle.core.authorization;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of one client: the tries of those that select it, and the values of its placeholders. Immutable. */
@HotPath
public final class CompiledRules {
    private static final String BROKER = "$SYS/";

    private final RuleSet rules;
    /** In the order of their first rules. */
    private final RuleNode[] roots;
    /** By the number of the placeholder; null for one that matches nothing. */
    private final @Nullable String[] values;

    private final boolean allowsByDefault;
    /** Whether the topics of the broker need a rule that allows them. */
    private final boolean protectsBroker;

    private final ClientLimits limits;

    CompiledRules(RuleSet rules, List<RuleNode> roots, @Nullable String[] values, ClientLimits limits) {
        this.rules = rules;
        this.roots = roots.toArray(RuleNode[]::new);
        Arrays.sort(this.roots, Comparator.comparingInt(RuleNode::first));
        this.values = values;
        this.limits = limits;
        this.allowsByDefault = rules.options().defaultEffect() == Effect.ALLOW;
        this.protectsBroker = !rules.rules().isEmpty();
    }

    /** Returns whether the client may publish a message with these properties. Allocates nothing. */
    public boolean mayPublish(TopicName topic, QoS qos, boolean retain) {
        return isAllowed(decide(topic, RuleEntry.publish(qos, retain)), topic);
    }

    /**
     * Decides about a subscription: it is allowed if every topic that the filter matches is.
     *
     * @param filter of a shared subscription, too: the share name does not matter
     * @param qos that the client requests
     */
    public SubscriptionDecision decideSubscription(TopicFilter filter, QoS qos) {
        boolean isAllowed = roots.length == 0
                ? isAllowedByDefault(filter.value())
                : new SubscriptionCheck(this, filter, RuleEntry.subscribe(qos)).isAllowed();
        if (isAllowed) {
            return SubscriptionDecision.ALLOWED;
        }
        // The message of a group that its chosen member may not receive would be lost for the others.
        return rules.options().filtersPartialSubscriptions() && hasWildcards(filter) && !filter.isShared()
                ? SubscriptionDecision.FILTERED
                : SubscriptionDecision.DENIED;
    }

    private static boolean hasWildcards(TopicFilter filter) {
        return filter.value().indexOf('+') >= 0 || filter.value().indexOf('#') >= 0;
    }

    /**
     * Returns whether the client may receive a message. The QoS of a delivery can be below the one that the subscription has requested, so
     * the rule for any QoS from there on suffices. Allocates nothing.
     */
    public boolean mayReceive(TopicName topic, QoS qos) {
        for (int level = qos.level(); level <= QoS.EXACTLY_ONCE.level(); level++) {
            if (isAllowed(decide(topic, RuleEntry.subscribe(QoS.ofLevel(level))), topic)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the rules that match a message, and the one that decides. */
    public Explanation explainPublish(TopicName topic, QoS qos, boolean retain) {
        return Explanation.of(this, topic, RuleEntry.publish(qos, retain), false);
    }

    /** Returns the rules that match a message for the client, and the one that decides like {@link #mayReceive}. */
    public Explanation explainReceive(TopicName topic, QoS qos) {
        QoS level = qos;
        while (level != QoS.EXACTLY_ONCE && !isAllowed(decide(topic, RuleEntry.subscribe(level)), topic)) {
            level = QoS.ofLevel(level.level() + 1);
        }
        return Explanation.of(this, topic, RuleEntry.subscribe(mayReceive(topic, qos) ? level : qos), false);
    }

    /** Returns the rules that match a topic of a subscription, and the one that decides. The topic is one that is denied, if there is any. */
    public Explanation explainSubscribe(TopicFilter filter, QoS qos) {
        int kind = RuleEntry.subscribe(qos);
        SubscriptionCheck check = new SubscriptionCheck(this, filter, kind);
        boolean isRefused = !check.isAllowed();
        return Explanation.of(this, check.example(), kind, isRefused);
    }

    /** Returns the entry of the rule that decides about a request, or {@link RuleEntry#NONE}. */
    int decide(TopicName topic, int kind) {
        int best = RuleEntry.NONE;
        for (RuleNode root : roots) {
            if (root.first() >= best) {
                break;
            }
            best = root.find(topic, 0, kind, values, best);
        }
        return best;
    }

    boolean isAllowed(int entry, TopicName topic) {
        return entry == RuleEntry.NONE ? isAllowedByDefault(topic.value()) : RuleEntry.isAllow(entry);
    }

    private boolean isAllowedByDefault(String topic) {
        return allowsByDefault && !(protectsBroker && topic.startsWith(BROKER));
    }

    public ClientLimits limits() {
        return limits;
    }

    public RuleOptions options() {
        return rules.options();
    }

    /** Returns the rules of which these are the part for one client. */
    public RuleSet rules() {
        return rules;
    }

    List<RuleNode> roots() {
        return List.of(roots);
    }

    @Nullable
    String[] values() {
        return values;
    }
}

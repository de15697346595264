package io.heddle.core.authorization.decision;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.ClientLimits;
import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.Map;
import java.util.Set;

/**
 * The rules of one connected client. Owned by the event loop of its connection.
 *
 * <p>Messages for the client are checked only if {@link #checkDeliveries} was called, because a subscription is granted if everything that it
 * matches is allowed. Messages that were stored or routed under other rules, and those of a filtered subscription, need the check.
 *
 * <p>Some decisions are kept as a sample ({@link RecentDecisions}).
 */
@HotPath
public final class ClientRules {
    private final ActiveRules active;
    private final LoopDecisions decisions;
    private RuleSubject subject;
    private CompiledRules current;
    private boolean checksDeliveries;
    private boolean limitsDeliveries;
    // Of the sampled publishes that were allowed: how many are not due, the window of the last one, and how many came
    // before it in this window. The same of denied requests.
    private int allowedToSample;
    private int deniedToSample;
    private short allowedWindow;
    private short deniedWindow;
    private byte allowedSamples = -1;
    private byte deniedSamples = -1;

    /**
     * Takes the rules of now.
     *
     * @param decisions of the event loop that owns the connection
     */
    public ClientRules(ActiveRules active, RuleSubject subject, LoopDecisions decisions) {
        this.active = active;
        this.decisions = decisions;
        this.subject = subject;
        use(active.current());
    }

    /** Takes the rules of now. Returns whether they have changed since the last call. */
    public boolean refresh() {
        RuleSet now = active.current();
        if (current.rules() == now) {
            return false;
        }
        use(now);
        checksDeliveries = true;
        return true;
    }

    /** The client has these attributes and groups from now on. Returns whether they differ, so that other rules may apply. */
    public boolean change(Map<String, String> attributes, Set<String> groups) {
        if (subject.attributes().equals(attributes) && subject.groups().equals(groups)) {
            return false;
        }
        subject = new RuleSubject(subject.clientId(), subject.userName(), attributes, groups, subject.address());
        use(active.current());
        checksDeliveries = true;
        return true;
    }

    private void use(RuleSet rules) {
        current = rules.forClient(subject);
        limitsDeliveries = current.limits().delivered().isLimited();
    }

    /** Returns the rules that applied at the last {@link #refresh}. */
    public RuleSet rules() {
        return current.rules();
    }

    /** Returns other rules for this client. */
    public CompiledRules under(RuleSet others) {
        return others.forClient(subject);
    }

    /** Returns whether the client may publish a message. Allocates nothing, unless the decision is sampled. */
    public boolean mayPublish(TopicName topic, QoS qos, boolean retain) {
        boolean isAllowed = current.mayPublish(topic, qos, retain);
        short present = decisions.window();
        if (!isAllowed) {
            denied(Action.PUBLISH, topic.value(), qos, retain, present);
        } else if (present != allowedWindow || --allowedToSample < 0) {
            sampleAllowed(topic.value(), qos, retain, present);
        }
        return isAllowed;
    }

    /** Returns whether the client may publish a will. Its sample is not one of those of the messages. */
    public boolean mayPublishWill(TopicName topic, QoS qos, boolean retain) {
        boolean isAllowed = current.mayPublish(topic, qos, retain);
        // The budget is that of now.
        short _ = decisions.window();
        if (isAllowed) {
            decisions.allowed(subject, topic.value(), qos, retain, true);
        } else {
            decisions.denied(subject, Action.PUBLISH, topic.value(), qos, retain, true);
        }
        return isAllowed;
    }

    // Apart, so that the decision itself stays small enough to be inlined.
    private void sampleAllowed(String topic, QoS qos, boolean retain, short present) {
        allowedSamples = next(allowedSamples, present == allowedWindow);
        allowedWindow = present;
        allowedToSample = decisions.pauseAfterAllowed(allowedSamples);
        decisions.allowed(subject, topic, qos, retain, allowedSamples == 0);
    }

    private void denied(Action action, String topic, QoS qos, boolean retain, short present) {
        if (present == deniedWindow && --deniedToSample >= 0) {
            return;
        }
        deniedSamples = next(deniedSamples, present == deniedWindow);
        deniedWindow = present;
        deniedToSample = decisions.pauseAfterDenied(deniedSamples);
        decisions.denied(subject, action, topic, qos, retain, deniedSamples == 0);
    }

    private static byte next(byte samples, boolean isSameWindow) {
        return (byte) (isSameWindow ? Math.min(samples + 1, Byte.MAX_VALUE) : 0);
    }

    /** Returns whether the client may publish a message. Never samples, for a request that was sampled before. Allocates nothing. */
    public boolean mayStillPublish(TopicName topic, QoS qos, boolean retain) {
        return current.mayPublish(topic, qos, retain);
    }

    /** Returns whether there are limits of the messages that the client receives. */
    public boolean limitDeliveries() {
        return limitsDeliveries;
    }

    public ClientLimits limits() {
        return current.limits();
    }

    /** Decides about a subscription that the client requests, like {@link #decideSubscription}. */
    public SubscriptionDecision decideSubscribe(TopicFilter filter, QoS qos) {
        SubscriptionDecision decision = decideSubscription(filter, qos);
        if (decision == SubscriptionDecision.DENIED) {
            denied(Action.SUBSCRIBE, filter.value(), qos, false, decisions.window());
        }
        return decision;
    }

    /** Decides about a subscription. From a filtered one on, all deliveries are checked. */
    public SubscriptionDecision decideSubscription(TopicFilter filter, QoS qos) {
        SubscriptionDecision decision = current.decideSubscription(filter, qos);
        if (decision == SubscriptionDecision.FILTERED) {
            checksDeliveries = true;
        }
        return decision;
    }

    /** From now on, each message for the client is checked, unless there are no rules. */
    public void checkDeliveries() {
        checksDeliveries = !rules().allowsEverything();
    }

    /** Returns whether a message may be sent to the client. Allocates nothing. */
    public boolean mayReceive(TopicName topic, QoS qos) {
        return !checksDeliveries || current.mayReceive(topic, qos);
    }
}

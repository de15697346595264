package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.SubscriptionTrie;

/** Finds the subscribers of a message. Thread-safe; each thread has one plan, which its next message overwrites. */
@HotPath
public final class Router {
    private final SubscriptionTrie subscriptions;
    private final ThreadLocal<RoutingPlan> plans = ThreadLocal.withInitial(RoutingPlan::new);

    public Router(SubscriptionTrie subscriptions) {
        this.subscriptions = subscriptions;
    }

    /** Returns the plan of a message, valid until this thread routes again. */
    public RoutingPlan route(PublishMessage message) {
        RoutingPlan plan = plans.get();
        plan.begin(message);
        subscriptions.match(message.topic(), plan);
        plan.end();
        return plan;
    }

    /**
     * Returns a plan with one member of a shared subscription as the only recipient, or without recipients if the subscription has no
     * members. Valid until this thread routes again.
     */
    public RoutingPlan routeToMember(PublishMessage message, TopicFilter sharedFilter) {
        RoutingPlan plan = plans.get();
        plan.begin(message);
        SharedGroup group = subscriptions.group(sharedFilter);
        if (group != null) {
            plan.add(group);
        }
        plan.end();
        return plan;
    }

    /**
     * Returns the plan of a message that another node has routed: sessions of this node only, and none that get the message through a log.
     * Valid until this thread routes again.
     *
     * @param purposes constants of {@link NodeRecipients}
     * @param persistentSessions the number of persistent sessions that the other node takes for connected to this one
     * @param connectNumber the number of the latest connect that the other node knew; persistent sessions that have connected later do not get the
     *     message
     */
    public RoutingPlan routeForwarded(
            PublishMessage message, int purposes, int persistentSessions, long connectNumber) {
        RoutingPlan plan = plans.get();
        plan.beginForwarded(message, purposes, persistentSessions, connectNumber);
        if ((purposes & (NodeRecipients.SUBSCRIBERS | NodeRecipients.PERSISTENT)) != 0) {
            subscriptions.match(message.topic(), plan);
        }
        plan.end();
        return plan;
    }

    /**
     * Returns the plan of a message that its publisher repeats: subscribers whose sessions end with their connections, outside of shared
     * subscriptions, on this node and on others. Valid until this thread routes again.
     */
    public RoutingPlan routeRepeated(PublishMessage message) {
        RoutingPlan plan = plans.get();
        plan.beginRepeated(message);
        subscriptions.match(message.topic(), plan);
        plan.end();
        return plan;
    }

    /** Adds a member of a shared subscription that is on this node and gets the message without a log; false if there is none. */
    public boolean addMember(RoutingPlan plan, TopicFilter sharedFilter) {
        SharedGroup group = subscriptions.group(sharedFilter);
        return group != null && plan.addMemberHere(group);
    }
}

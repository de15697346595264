package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.SubscriptionTrie;

/** Finds a message's subscribers. Any thread may route; each has one plan, which its next message overwrites. */
@HotPath
public final class Router {
    private final SubscriptionTrie subscriptions;
    private final ThreadLocal<RoutingPlan> plans = ThreadLocal.withInitial(RoutingPlan::new);

    /** A router over a node's subscriptions. */
    public Router(SubscriptionTrie subscriptions) {
        this.subscriptions = subscriptions;
    }

    /** The message's plan, valid until this thread routes again. */
    public RoutingPlan route(PublishMessage message) {
        RoutingPlan plan = plans.get();
        plan.begin(message);
        subscriptions.match(message.topic(), plan);
        plan.end();
        return plan;
    }

    /**
     * The plan that gives a message to one member of a shared subscription and to nobody else; it has no recipient when there is no
     * member. Valid until this thread routes again.
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
}

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
}

package io.heddle.core.delivery;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.routing.RoutingPlan;

/** Executes routing plans: hands the message to every way that the plan names. Called on the plan's thread. */
@HotPath
public final class Dispatcher {
    private final DirectDelivery direct;

    /** A dispatcher over its ways. */
    public Dispatcher(DirectDelivery direct) {
        this.direct = direct;
    }

    /** Whether every way of the plan has room for a message that must not be dropped. */
    public boolean accepts(RoutingPlan plan) {
        for (int i = 0; i < plan.loopCount(); i++) {
            if (!direct.accepts(plan.onLoop(i))) {
                return false;
            }
        }
        return true;
    }

    /** Executes the plan. When it returns, the plan may be used for another message. */
    public void dispatch(PublishMessage message, RoutingPlan plan) {
        for (int i = 0; i < plan.loopCount(); i++) {
            direct.deliver(message, plan.onLoop(i));
        }
    }
}

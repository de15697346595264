package io.heddle.core.publish;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Accepts publications of clients and sends them on their way. Any thread may publish. */
@HotPath
public final class PublishService {
    private static final PublishOutcome NO_ROOM = new PublishOutcome.Refused(ReasonCode.QUOTA_EXCEEDED);
    private static final PublishOutcome NOT_AUTHORIZED = new PublishOutcome.Refused(ReasonCode.NOT_AUTHORIZED);

    private final RetainedMessages retained;
    private final Router router;
    private final Dispatcher dispatcher;
    private final MemoryBudget memory;
    private final Counter received;
    private final Counter unmatched;
    private final Counter refused;
    private final Counter refusedOverloaded;
    private final Counter refusedMemory;
    private final Counter notKept;

    /** The one place of a node where messages come in. */
    public PublishService(
            RetainedMessages retained,
            Router router,
            Dispatcher dispatcher,
            MemoryBudget memory,
            MeterRegistry metrics) {
        this.retained = retained;
        this.router = router;
        this.dispatcher = dispatcher;
        this.memory = memory;
        this.received = metrics.counter("heddle.messages.received");
        this.unmatched = metrics.counter("heddle.messages.unmatched");
        this.refusedOverloaded = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_overloaded");
        this.refusedMemory = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_memory_limit");
        this.notKept = metrics.counter("heddle.messages.dropped", "reason", "memory_limit");
        this.refused = metrics.counter("heddle.messages.dropped", "reason", ReasonCode.NOT_AUTHORIZED.tag());
    }

    /**
     * Publishes a client's message. When it returns, every recipient has it or will be handed it by its event loop, or it was
     * refused as a whole: above QoS 0 nothing is taken that a recipient's event loop has no room for, or that connected clients
     * are to get when the memory of sessions is full. Memory that fills up between this and the delivery makes the session drop
     * its copy and count it.
     */
    public PublishOutcome publish(PublishMessage message) {
        received.increment();
        if (!TopicRules.isOpenToPublishers(message.topic())) {
            refused.increment();
            return NOT_AUTHORIZED;
        }
        RoutingPlan plan = router.route(message);
        if (message.qos() != QoS.AT_MOST_ONCE && !dispatcher.accepts(plan)) {
            refusedOverloaded.increment();
            return NO_ROOM;
        }
        if (message.qos() != QoS.AT_MOST_ONCE && !memory.hasRoomForAbsent(MemoryBudget.copyBytes(message))) {
            PublishOutcome unkept = withoutRoom(message, plan);
            if (unkept != null) {
                return unkept;
            }
        }
        if (message.retain()) {
            // A limit may keep it from being retained, which is counted there; it is delivered all the same.
            var _ = retained.store(message);
            // Who subscribed since has either found the message retained or is found now.
            plan = router.route(message);
        }
        int recipients = plan.recipients();
        if (recipients == 0) {
            unmatched.increment();
            return PublishOutcome.Routed.TO_NOBODY;
        }
        dispatcher.dispatch(message, plan);
        return new PublishOutcome.Routed(recipients);
    }

    /**
     * Hands a message of a shared subscription above QoS 0 to one of its members, because the member that had it cannot deliver it
     * any more. It counts as received once only.
     *
     * @return whether one has it or will be handed it by its event loop; false when there is no member, or no room for it
     */
    public boolean publishAgain(PublishMessage message, TopicFilter sharedFilter) {
        RoutingPlan plan = router.routeToMember(message, sharedFilter);
        if (plan.recipients() == 0 || !dispatcher.accepts(plan)) {
            return false;
        }
        dispatcher.dispatch(message, plan);
        return true;
    }

    /** What becomes of a message that absent clients' sessions cannot keep; null when it is to be delivered to the others. */
    private @Nullable PublishOutcome withoutRoom(PublishMessage message, RoutingPlan plan) {
        boolean anyConnected = false;
        boolean anyKeeps = false;
        for (int i = 0; i < plan.loopCount(); i++) {
            LoopRecipients recipients = plan.onLoop(i);
            for (int j = 0; j < recipients.count(); j++) {
                boolean keeps = recipients.terms(j).maximumQos() != QoS.AT_MOST_ONCE;
                boolean connected = recipients.session(j).isConnected();
                if (keeps && connected) {
                    return ifThereIsRoom(message);
                }
                anyConnected |= connected;
                anyKeeps |= keeps;
            }
        }
        if (!anyKeeps || anyConnected || message.retain()) {
            return null;
        }
        notKept.increment(plan.recipients());
        return new PublishOutcome.NotKept(plan.recipients());
    }

    private @Nullable PublishOutcome ifThereIsRoom(PublishMessage message) {
        if (memory.hasRoom(MemoryBudget.copyBytes(message))) {
            return null;
        }
        refusedMemory.increment();
        return NO_ROOM;
    }
}

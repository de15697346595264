package io.heddle.core.publish;

import io.heddle.core.HotPath;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.quota.StorageRoom;
import io.heddle.core.retained.RetainedChange;
import io.heddle.core.retained.RetainedMessages;
import io.heddle.core.routing.LoopRecipients;
import io.heddle.core.routing.Router;
import io.heddle.core.routing.RoutingPlan;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts publications of clients and sends them on their way. Any thread may publish. */
@HotPath
public final class PublishService {
    private static final PublishOutcome NO_ROOM = new PublishOutcome.Refused(ReasonCode.QUOTA_EXCEEDED);
    private static final PublishOutcome NOT_AUTHORIZED = new PublishOutcome.Refused(ReasonCode.NOT_AUTHORIZED);

    private static final Logger logger = LoggerFactory.getLogger(PublishService.class);

    private final RetainedMessages retained;
    private final Router router;
    private final Dispatcher dispatcher;
    private final MessageLog log;
    private final MemoryBudget memory;
    private final StorageRoom storage;
    private final Counter received;
    private final Counter unmatched;
    private final Counter refused;
    private final Counter refusedOverloaded;
    private final Counter refusedMemory;
    private final Counter refusedLagging;
    private final Counter refusedStorage;
    private final Counter notRetained;
    private final Counter refusedUnreleased;
    private final Counter appendFailed;

    /** The one place of a node where messages come in. */
    public PublishService(
            RetainedMessages retained,
            Router router,
            Dispatcher dispatcher,
            MessageLog log,
            MemoryBudget memory,
            StorageRoom storage,
            MeterRegistry metrics) {
        this.retained = retained;
        this.router = router;
        this.dispatcher = dispatcher;
        this.log = log;
        this.memory = memory;
        this.storage = storage;
        this.received = metrics.counter("heddle.messages.received");
        this.unmatched = metrics.counter("heddle.messages.unmatched");
        this.refusedOverloaded = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_overloaded");
        this.refusedMemory = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_memory_limit");
        this.refusedLagging = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_lagging");
        this.refusedStorage = metrics.counter("heddle.messages.dropped", "reason", "publish_refused_storage");
        this.notRetained = metrics.counter("heddle.retained.refused", "reason", "storage");
        this.refusedUnreleased =
                metrics.counter("heddle.messages.dropped", "reason", "publish_refused_maximum_unreleased");
        this.appendFailed = metrics.counter("heddle.messages.dropped", "reason", "append_failed");
        this.refused = metrics.counter("heddle.messages.dropped", "reason", ReasonCode.NOT_AUTHORIZED.tag());
    }

    /**
     * Publishes a client's message: it is refused as a whole, or every recipient gets it. Connected clients that get it directly
     * have it, or will be handed it by their event loops, when this returns; what must survive is {@link
     * PublishOutcome.Pending} until it does. Above QoS 0 nothing is taken that one of the ways has no room for. A session
     * whose client does not keep up may drop its copy for want of memory, and counts it.
     *
     * @param receipt hears of the outcome when it is pending; null when the publisher does not wait, as at QoS 0
     */
    public PublishOutcome publish(PublishMessage message, @Nullable PublishCallback receipt) {
        received.increment();
        if (!TopicRules.isOpenToPublishers(message.topic())) {
            refused.increment();
            return NOT_AUTHORIZED;
        }
        RoutingPlan plan = router.route(message);
        if (message.qos() != QoS.AT_MOST_ONCE && !dispatcher.accepts(message, plan)) {
            refusedOverloaded.increment();
            return NO_ROOM;
        }
        if (message.qos() != QoS.AT_MOST_ONCE && dispatcher.lagsTooFar(plan, receipt == null ? null : receipt.mark())) {
            refusedLagging.increment();
            return NO_ROOM;
        }
        boolean hasStorage = !storage.isExhausted();
        if (!hasStorage && message.qos() != QoS.AT_MOST_ONCE && isStored(message, plan, receipt)) {
            refusedStorage.increment();
            return NO_ROOM;
        }
        if (message.qos() != QoS.AT_MOST_ONCE
                && keepsInMemory(plan)
                && !memory.hasRoom(MemoryBudget.copyBytes(message))) {
            refusedMemory.increment();
            return NO_ROOM;
        }
        if (message.retain() && !hasStorage) {
            notRetained.increment();
        }
        if (!message.retain() || !hasStorage) {
            return send(message, plan, null, receipt);
        }
        // A limit may keep it from being retained, which is counted there; it is delivered all the same.
        RetainedChange change = retained.change(message);
        boolean handedOver = false;
        try {
            // Who subscribed since has either found the message retained or is found now.
            PublishOutcome outcome = send(message, router.route(message), change, receipt);
            handedOver = true;
            return outcome;
        } finally {
            if (!handedOver && change != null) {
                change.failed();
            }
        }
    }

    private PublishOutcome send(
            PublishMessage message,
            RoutingPlan plan,
            @Nullable RetainedChange change,
            @Nullable PublishCallback receipt) {
        int recipients = plan.recipients();
        if (recipients == 0) {
            unmatched.increment();
        }
        LogAppend mark = receipt == null ? null : receipt.mark();
        List<LogAppend> appends = dispatcher.appends(message, plan);
        PublishOutcome routed =
                recipients == 0 ? PublishOutcome.Routed.TO_NOBODY : new PublishOutcome.Routed(recipients);
        if (appends.isEmpty() && change == null && mark == null) {
            dispatcher.deliver(message, plan);
            return routed;
        }
        if (receipt == null || mark == null) {
            dispatcher.deliver(message, plan);
            Safe safe = new Safe(routed, receipt, appends, List.of());
            if (change == null) {
                log.append(appends, safe);
            } else {
                RetainedAppend.append(log, appends, message, change, safe);
            }
        } else {
            List<LogAppend> all = new ArrayList<>(appends);
            all.add(mark);
            // Exactly once: who gets it directly must not get it a second time when the commit fails and it is sent
            // again.
            Safe safe = new Safe(routed, receipt, all, dispatcher.deliverLater(message, plan));
            commit(all, receipt.order(), message, change, safe);
        }
        return receipt == null ? routed : PublishOutcome.Pending.PENDING;
    }

    private void commit(
            List<LogAppend> appends,
            OrderFence order,
            PublishMessage message,
            @Nullable RetainedChange change,
            Safe safe) {
        if (change == null) {
            log.commit(appends, order, safe);
            return;
        }
        appends.add(RetainedAppend.record(message, change));
        MessageLog.Outcome settling = RetainedAppend.settling(change, safe);
        if (!change.defersUntilRemoved(() -> log.commit(appends, order, settling))) {
            log.commit(appends, order, settling);
        }
    }

    /** A QoS 2 message was received from a client with too many that wait for PUBREL: nobody gets it. */
    public PublishOutcome refusedForUnreleased() {
        received.increment();
        refusedUnreleased.increment();
        return NO_ROOM;
    }

    /** Whether publishers have to pause: otherwise QoS 0 messages for clients of other event loops will be dropped. Any thread. */
    public boolean isCongested() {
        return dispatcher.isCongested();
    }

    /** A message was received that the publisher's own session has no memory for: nobody gets it. */
    public PublishOutcome refusedForMemory() {
        received.increment();
        refusedMemory.increment();
        return NO_ROOM;
    }

    /** What follows when a message is where it must survive. */
    private final class Safe implements MessageLog.Outcome {
        private final PublishOutcome outcome;
        private final @Nullable PublishCallback receipt;
        private final List<LogAppend> appends;
        private final List<DirectDelivery.Later> deliveries;

        Safe(
                PublishOutcome outcome,
                @Nullable PublishCallback receipt,
                List<LogAppend> appends,
                List<DirectDelivery.Later> deliveries) {
            this.outcome = outcome;
            this.receipt = receipt;
            this.appends = appends;
            this.deliveries = deliveries;
        }

        @Override
        public void appended() {
            for (int i = 0; i < deliveries.size(); i++) {
                deliveries.get(i).deliver();
            }
            if (receipt != null) {
                receipt.safe(outcome, dispatcher.backlog(appends));
            }
        }

        @Override
        public void failed(Throwable reason) {
            appendFailed.increment();
            for (int i = 0; i < deliveries.size(); i++) {
                deliveries.get(i).forget();
            }
            logger.debug("A message could not be written to where it must survive", reason);
            if (receipt != null) {
                receipt.failed(reason);
            }
        }
    }

    /**
     * Hands a message of a shared subscription above QoS 0 to one of its members, because the member that had it cannot deliver it
     * any more. It counts as received once only.
     *
     * @return whether one has it or will be handed it by its event loop; false when there is no member, or no room for it
     */
    public boolean redispatch(PublishMessage message, TopicFilter sharedFilter) {
        Safe safe = new Safe(PublishOutcome.Routed.TO_NOBODY, null, List.of(), List.of());
        return redispatch(message, sharedFilter, safe) == RepublishOutcome.TAKEN;
    }

    /**
     * The same.
     *
     * @param outcome is told, only of a message that was taken, when it is where it must survive
     */
    public RepublishOutcome redispatch(PublishMessage message, TopicFilter sharedFilter, MessageLog.Outcome outcome) {
        RoutingPlan plan = router.routeToMember(message, sharedFilter);
        if (plan.recipients() == 0) {
            return RepublishOutcome.NO_MEMBER;
        }
        if (!dispatcher.accepts(message, plan) || dispatcher.lagsTooFar(plan, null)) {
            return RepublishOutcome.NO_ROOM;
        }
        List<LogAppend> appends = dispatcher.appends(message, plan);
        if (!appends.isEmpty()) {
            log.append(appends, outcome);
        }
        dispatcher.deliver(message, plan);
        if (appends.isEmpty()) {
            outcome.appended();
        }
        return RepublishOutcome.TAKEN;
    }

    /** Whether a message above QoS 0 needs the logs. */
    private static boolean isStored(PublishMessage message, RoutingPlan plan, @Nullable PublishCallback receipt) {
        return plan.persistent().count() > 0 || message.retain() || (receipt != null && receipt.mark() != null);
    }

    /** Whether a session that ends with its connection has to hold the message until its client acknowledges it. */
    private static boolean keepsInMemory(RoutingPlan plan) {
        for (int i = 0; i < plan.loopCount(); i++) {
            LoopRecipients recipients = plan.onLoop(i);
            for (int j = 0; j < recipients.count(); j++) {
                if (recipients.terms(j).maximumQos() != QoS.AT_MOST_ONCE) {
                    return true;
                }
            }
        }
        return false;
    }
}

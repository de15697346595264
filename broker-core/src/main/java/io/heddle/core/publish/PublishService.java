package io.heddle.core.publish;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.LaterDelivery;
import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.node.Receipts;
import io.heddle.core.delivery.node.SharedRedispatch;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
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
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks, routes and dispatches the messages that clients publish. Thread-safe. */
@HotPath
public final class PublishService {
    /** The outcome of a repeated message that is not delivered again. */
    public static final PublishOutcome ALREADY_PUBLISHED = new PublishOutcome.Routed(1);

    private static final Logger logger = LoggerFactory.getLogger(PublishService.class);

    private final RetainedMessages retained;
    private final Router router;
    private final Dispatcher dispatcher;
    private final MessageLog log;
    private final MemoryBudget memory;
    private final StorageRoom storage;
    private final TopicRules topics;
    private final PublishRefusals refusals;
    private final BiConsumer<Limit, PublishMessage> onNotRetained;
    private final Counter received;
    private final Counter unmatched;
    private final Counter appendFailed;

    public PublishService(
            RetainedMessages retained,
            Router router,
            Dispatcher dispatcher,
            MessageLog log,
            MemoryBudget memory,
            StorageRoom storage,
            TopicRules topics,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.retained = retained;
        this.router = router;
        this.dispatcher = dispatcher;
        this.log = log;
        this.memory = memory;
        this.storage = storage;
        this.topics = topics;
        this.refusals = new PublishRefusals(incidents, metrics);
        this.onNotRetained = refusals::notRetained;
        this.received = metrics.counter("heddle.messages.received");
        this.unmatched = metrics.counter("heddle.messages.unmatched");
        this.appendFailed = metrics.counter("heddle.messages.dropped", "reason", "append_failed");
    }

    /**
     * Publishes a message to all its recipients or refuses it. When this returns, deliveries without the log are done or queued on the
     * event loops of their recipients; a message that must be durable is {@link PublishOutcome.Pending} until it is appended. QoS 1 and 2
     * messages are refused when the log, a bucket, an event loop or the memory has no room; QoS 0 messages with a marker, when the log or an
     * event loop has none. Other QoS 0 messages are not retained when the log has no room, but delivered. The session of a slow client may
     * drop its copy, which it counts.
     *
     * @param callback receives the outcome when it is pending; null when the publisher does not wait for it, as at QoS 0 without RETAIN
     */
    public PublishOutcome publish(PublishMessage message, @Nullable PublishCallback callback) {
        if (!topics.isOpenToPublishers(message.topic())) {
            return unauthorized(message.topic().value(), "clients may not publish to the topic", message.publisher());
        }
        RoutingPlan plan = router.route(message);
        received.increment();
        boolean isCommitted = callback != null && callback.marker() != null;
        if ((message.qos() != QoS.AT_MOST_ONCE || isCommitted)
                && !dispatcher.accepts(message, plan, isCommitted || message.retain())) {
            return refusals.overloaded(dispatcher.exceeded(plan), message.publisher());
        }
        if (message.qos() != QoS.AT_MOST_ONCE
                && dispatcher.lagsTooFar(plan, callback == null ? null : callback.marker())) {
            return refusals.lagging(dispatcher.lagLimit(), message.publisher());
        }
        boolean hasStorage = !storage.isExhausted();
        if (!hasStorage && message.qos() != QoS.AT_MOST_ONCE && isStored(message, plan, callback)) {
            return refusals.outOfStorage(storage.limit(), message.publisher());
        }
        if (message.qos() != QoS.AT_MOST_ONCE
                && (keepsInMemory(plan) || dispatcher.keepsForNodes(plan))
                && !memory.hasRoom(MemoryBudget.copyBytes(message))) {
            return refusals.outOfMemory(memory.limit(), message.publisher());
        }
        if (!message.retain() || !isRetainable(message, hasStorage, isCommitted)) {
            return send(message, plan, null, callback);
        }
        // A message above the limits is not retained, which RetainedMessages counts, but it is delivered.
        RetainedChange change = retained.change(message, onNotRetained);
        boolean sent = false;
        try {
            // Route again: a client that subscribed meanwhile either got the retained message or is matched now.
            PublishOutcome outcome = send(message, router.route(message), change, callback);
            sent = true;
            return outcome;
        } finally {
            if (!sent && change != null) {
                change.failed();
            }
        }
    }

    /** Returns whether an accepted message may be retained. A QoS 1 or 2 message, or one with a marker, is refused otherwise. */
    private boolean isRetainable(PublishMessage message, boolean hasStorage, boolean isCommitted) {
        if (!hasStorage) {
            refusals.notRetainedOutOfStorage(storage.limit(), message);
            return false;
        }
        if (message.qos() == QoS.AT_MOST_ONCE && !isCommitted && !log.accepts(message.heldBytes())) {
            refusals.notRetainedOverloaded(log.pendingLimit(), message);
            return false;
        }
        return true;
    }

    private PublishOutcome send(
            PublishMessage message,
            RoutingPlan plan,
            @Nullable RetainedChange change,
            @Nullable PublishCallback callback) {
        int recipients = plan.recipients();
        if (recipients == 0) {
            unmatched.increment();
        }
        LogAppend marker = callback == null ? null : callback.marker();
        List<LogAppend> appends = dispatcher.appends(message, plan);
        PublishOutcome routed =
                recipients == 0 ? PublishOutcome.Routed.TO_NOBODY : new PublishOutcome.Routed(recipients);
        if (appends.isEmpty() && change == null && marker == null) {
            Receipts receipts = dispatcher.deliver(message, plan);
            if (receipts == null || callback == null) {
                return routed;
            }
            receipts.whenGiven(() -> callback.onDurable(routed, null));
            return PublishOutcome.Pending.PENDING;
        }
        if (callback == null || marker == null) {
            MessageLog.AppendCallback completion = afterReceipts(
                    dispatcher.deliver(message, plan), new Completion(routed, callback, appends, LaterDelivery.NONE));
            if (change == null) {
                log.append(appends, completion);
            } else {
                RetainedAppend.append(log, appends, message, change, completion);
            }
        } else {
            List<LogAppend> all = new ArrayList<>(appends);
            all.add(marker);
            // Exactly once: direct deliveries wait for the commit, because a publisher repeats the message after a
            // failed commit.
            Completion completion =
                    new Completion(routed, callback, all, dispatcher.deliverLater(message, plan, callback.name()));
            OrderFence order = Objects.requireNonNull(callback.order(), "order fence of a message with a marker");
            commit(all, order, message, change, completion);
        }
        return callback == null ? routed : PublishOutcome.Pending.PENDING;
    }

    /** Returns a callback that the log calls, and that calls another one when the receipts are given, too. */
    private static MessageLog.AppendCallback afterReceipts(
            @Nullable Receipts receipts, MessageLog.AppendCallback callback) {
        if (receipts == null) {
            return callback;
        }
        MessageLog.AppendCallback joined = new JoinedAppends(2, callback);
        receipts.whenGiven(joined::onAppended);
        return joined;
    }

    private void commit(
            List<LogAppend> appends,
            OrderFence order,
            PublishMessage message,
            @Nullable RetainedChange change,
            Completion completion) {
        if (change == null) {
            log.commit(appends, order, completion);
            return;
        }
        appends.add(RetainedAppend.record(message, change));
        log.commit(appends, order, RetainedAppend.settling(change, completion));
    }

    /**
     * Delivers a QoS 2 message again that an earlier connection has stored, because the node of that connection may have died before it delivered
     * the message: to subscribers whose sessions end with their connections, under its old name. It was accepted before, so it is not refused.
     *
     * @param callback has the name of the message, and receives the outcome when it is pending
     */
    public PublishOutcome repeat(PublishMessage message, PublishCallback callback) {
        if (!topics.isOpenToPublishers(message.topic())) {
            return ALREADY_PUBLISHED;
        }
        RoutingPlan plan = router.routeRepeated(message);
        PublishOutcome routed = new PublishOutcome.Routed(Math.max(1, plan.recipients()));
        Receipts receipts =
                dispatcher.deliverLater(message, plan, callback.name()).deliver();
        if (receipts == null) {
            return routed;
        }
        receipts.whenGiven(() -> callback.onDurable(routed, null));
        return PublishOutcome.Pending.PENDING;
    }

    /** Returns the name of the next QoS 2 message that an event loop of this node receives. */
    public MessageName nextName(EventLoop eventLoop) {
        return dispatcher.nextName(eventLoop);
    }

    /** Refuses a QoS 2 message of a client with too many messages that wait for PUBREL. */
    public PublishOutcome refusedForUnreleased(ClientId publisher, int maximumUnreleased) {
        received.increment();
        return refusals.unreleased(maximumUnreleased, publisher);
    }

    /** Returns whether publishers must pause, or QoS 0 messages to clients of other event loops will be dropped. */
    public boolean isCongested() {
        return dispatcher.isCongested();
    }

    public PublishOutcome refusedByRules(TopicName topic, ClientId publisher) {
        return unauthorized(topic.value(), "a rule, or the default of the rules, denies the message", publisher);
    }

    private PublishOutcome unauthorized(String topic, String detail, ClientId publisher) {
        received.increment();
        return refusals.unauthorized(topic, detail, publisher);
    }

    /** Refuses a message for which the publisher's session has no memory. */
    public PublishOutcome refusedForMemory(ClientId publisher) {
        received.increment();
        return refusals.outOfMemory(memory.limit(), publisher);
    }

    /** Completes a message when its appends are durable. */
    private final class Completion implements MessageLog.AppendCallback {
        private final PublishOutcome outcome;
        private final @Nullable PublishCallback callback;
        private final List<LogAppend> appends;
        private final LaterDelivery deliveries;

        Completion(
                PublishOutcome outcome,
                @Nullable PublishCallback callback,
                List<LogAppend> appends,
                LaterDelivery deliveries) {
            this.outcome = outcome;
            this.callback = callback;
            this.appends = appends;
            this.deliveries = deliveries;
        }

        @Override
        public void onAppended() {
            Receipts receipts = deliveries.deliver();
            if (callback == null) {
                return;
            }
            if (receipts == null) {
                callback.onDurable(outcome, dispatcher.backlog(appends));
            } else {
                receipts.whenGiven(() -> callback.onDurable(outcome, dispatcher.backlog(appends)));
            }
        }

        @Override
        public void onFailed(Throwable reason) {
            appendFailed.increment();
            deliveries.cancel();
            logger.debug("Cannot append a published message; the publisher is not acknowledged", reason);
            if (callback != null) {
                callback.onFailed(reason);
            }
        }
    }

    /**
     * Dispatches a QoS 1 or 2 message of a shared subscription to another member, because the session of the first one has ended. The message
     * is not counted as received again.
     *
     * @return false when there is no member or no room
     */
    public boolean redispatch(PublishMessage message, TopicFilter sharedFilter) {
        Completion completion = new Completion(PublishOutcome.Routed.TO_NOBODY, null, List.of(), LaterDelivery.NONE);
        return redispatch(message, sharedFilter, completion) == SharedRedispatch.Outcome.TAKEN;
    }

    /**
     * Dispatches a message like {@link #redispatch(PublishMessage, TopicFilter)}.
     *
     * @param callback receives the result of the append if the message was taken, and waits for the receipt of another node
     */
    public SharedRedispatch.Outcome redispatch(
            PublishMessage message, TopicFilter sharedFilter, MessageLog.AppendCallback callback) {
        RoutingPlan plan = router.routeToMember(message, sharedFilter);
        if (plan.recipients() == 0) {
            return SharedRedispatch.Outcome.NO_MEMBER;
        }
        if (!dispatcher.accepts(message, plan, false) || dispatcher.lagsTooFar(plan, null)) {
            return SharedRedispatch.Outcome.NO_ROOM;
        }
        List<LogAppend> appends = dispatcher.appends(message, plan);
        MessageLog.AppendCallback confirmed = afterReceipts(dispatcher.deliver(message, plan), callback);
        if (appends.isEmpty()) {
            confirmed.onAppended();
        } else {
            log.append(appends, confirmed);
        }
        return SharedRedispatch.Outcome.TAKEN;
    }

    void countFailedAppend() {
        appendFailed.increment();
    }

    /** Returns whether a QoS 1 or 2 message must be appended to a log of messages. */
    private static boolean isStored(PublishMessage message, RoutingPlan plan, @Nullable PublishCallback callback) {
        return plan.persistent().count() > 0
                || message.retain()
                || (callback != null && callback.marker() instanceof LogAppend.ToBucket);
    }

    /** Returns whether a session without persistence must keep the message in memory until its client acknowledges it. */
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

package io.heddle.core.delivery;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.node.Forwarding;
import io.heddle.core.delivery.node.MessageNames;
import io.heddle.core.delivery.node.Receipts;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.routing.PersistentRecipients;
import io.heddle.core.routing.RoutingPlan;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.PersistentSubscriber;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes routing plans: delivers a message directly, and creates the log records for persistent sessions. Called on the thread of the
 * plan, before that thread routes the next message.
 */
@HotPath
public final class Dispatcher {
    private final DirectDelivery direct;
    private final MessageLog log;
    private final BucketPositions positions;
    private final Forwarding forwarding;
    private final MessageNames names;
    private final Counter droppedDisconnected;
    private final Counter delayed;

    /**
     * Executes the plans of a node.
     *
     * @param names remembers the QoS 2 messages that this node has delivered
     */
    public Dispatcher(
            DirectDelivery direct,
            MessageLog log,
            BucketPositions positions,
            Forwarding forwarding,
            MessageNames names,
            MeterRegistry metrics) {
        this.direct = direct;
        this.log = log;
        this.positions = positions;
        this.forwarding = forwarding;
        this.names = names;
        this.delayed = metrics.counter("heddle.publishes.delayed");
        this.droppedDisconnected = metrics.counter("heddle.messages.dropped", "reason", "disconnected");
    }

    /**
     * Returns whether the direct delivery and the log have room for a message that must not be dropped.
     *
     * @param isAppended whether more is appended with the message than the recipients of the plan need: its marker, or its retained message
     */
    public boolean accepts(PublishMessage message, RoutingPlan plan, boolean isAppended) {
        for (int i = 0; i < plan.loopCount(); i++) {
            if (!direct.accepts(plan.onLoop(i))) {
                return false;
            }
        }
        return (plan.persistent().count() == 0 && !isAppended) || log.accepts(message.heldBytes());
    }

    /** Returns the limit because of which a message was not accepted. */
    public Limit exceeded(RoutingPlan plan) {
        for (int i = 0; i < plan.loopCount(); i++) {
            if (!direct.accepts(plan.onLoop(i))) {
                return direct.handoverLimit();
            }
        }
        return log.pendingLimit();
    }

    /** Returns the limit because of which a bucket lags too far. */
    public Limit lagLimit() {
        return positions.lagLimit();
    }

    /**
     * Whether a bucket of the plan lags too far behind its log to accept a message that must not be dropped.
     *
     * @param marker the record written together with the message, or null
     */
    public boolean lagsTooFar(RoutingPlan plan, @Nullable LogAppend marker) {
        if (!positions.isAnyFull()) {
            return false;
        }
        if (marker instanceof LogAppend.ToBucket(int bucket, BucketCommand _) && positions.isFull(bucket)) {
            return true;
        }
        PersistentRecipients recipients = plan.persistent();
        for (int i = 0; i < recipients.count(); i++) {
            PersistentSubscriber session = recipients.session(i);
            if (plan.isLogged(i) && session.type() == ClientType.DEVICE && positions.isFull(session.bucket())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the backlog that the publisher of durable appends waits for: the one of the bucket with the longest lag; null for none. */
    public @Nullable Backlog backlog(List<LogAppend> appends) {
        if (!positions.isAnyLagging()) {
            return null;
        }
        int slowest = -1;
        long longestMillis = -1;
        for (int i = 0; i < appends.size(); i++) {
            if (appends.get(i) instanceof LogAppend.ToBucket(int bucket, BucketCommand _)
                    && positions.isLagging(bucket)
                    && positions.lagMillis(bucket) > longestMillis) {
                slowest = bucket;
                longestMillis = positions.lagMillis(bucket);
            }
        }
        if (slowest < 0) {
            return null;
        }
        delayed.increment();
        return new Backlog(slowest, positions.appendedOffset(slowest));
    }

    /** Creates the log records of the plan; none when no persistent session gets the message at QoS 1 or 2. */
    public List<LogAppend> appends(PublishMessage message, RoutingPlan plan) {
        PersistentRecipients recipients = plan.persistent();
        if (recipients.count() == 0 || message.qos() == QoS.AT_MOST_ONCE) {
            return List.of();
        }
        List<LogAppend> appends = new ArrayList<>(recipients.count());
        Map<Integer, QueueRecipients> byBucket = new HashMap<>();
        for (int i = 0; i < recipients.count(); i++) {
            if (!plan.isLogged(i)) {
                continue;
            }
            PersistentSubscriber session = recipients.session(i);
            DeliveryTerms terms = recipients.terms(i);
            QoS qos = recipients.qos(i, message.qos());
            boolean retain = message.retain() && terms.retainAsPublished();
            if (session.type() == ClientType.APPLICATION) {
                appends.add(new LogAppend.ToApplication(
                        session.clientId(),
                        session.generation(),
                        message,
                        qos,
                        retain,
                        terms.subscriptionIdentifiers()));
                continue;
            }
            byBucket.computeIfAbsent(session.bucket(), QueueRecipients::new)
                    .add(
                            new QueueRecipient(
                                    session.clientId(),
                                    session.generation(),
                                    qos,
                                    retain,
                                    terms.subscriptionIdentifiers(),
                                    redeliveredTo(terms, qos)),
                            message,
                            appends);
        }
        for (QueueRecipients ofBucket : byBucket.values()) {
            ofBucket.flush(message, appends);
        }
        return appends;
    }

    /** The shared subscription whose other members get the message if this member's session ends, or null [MQTT-4.8.2-5]. */
    private static @Nullable String redeliveredTo(DeliveryTerms terms, QoS qos) {
        TopicFilter filter = terms.sharedFilter();
        return filter == null || qos != QoS.AT_LEAST_ONCE ? null : filter.value();
    }

    /** Returns whether publishers must pause because an event loop lags behind the tasks of other threads. */
    public boolean isCongested() {
        return direct.isCongested();
    }

    /** Returns whether a message must wait in the memory of this node until other nodes confirm it. */
    public boolean keepsForNodes(RoutingPlan plan) {
        return plan.nodes().count() > 0 && plan.nodes().isAnyAcknowledged() && forwarding.isHeldUp();
    }

    /**
     * Delivers the message to the connected clients of the plan that get it without the log, on this node and on others.
     *
     * @return the receipts of other nodes that the acknowledgement of the message waits for, or null
     */
    public @Nullable Receipts deliver(PublishMessage message, RoutingPlan plan) {
        for (int i = 0; i < plan.loopCount(); i++) {
            direct.deliver(message, plan.onLoop(i));
        }
        countDisconnected(plan);
        return plan.nodes().count() == 0
                ? null
                : forwarding.prepare(message, plan, null).send();
    }

    /** Returns the name of the next QoS 2 message that an event loop of this node receives. */
    public MessageName nextName(EventLoop eventLoop) {
        return names.next(eventLoop.index());
    }

    /**
     * Prepares the deliveries without the log of a message that must be committed first, or that its publisher repeats.
     *
     * @param name of a QoS 2 message, which no subscriber gets twice under it, or null
     */
    public LaterDelivery deliverLater(PublishMessage message, RoutingPlan plan, @Nullable MessageName name) {
        List<DirectDelivery.Later> later = new ArrayList<>(plan.loopCount());
        for (int i = 0; i < plan.loopCount(); i++) {
            later.add(direct.later(message, plan.onLoop(i)));
        }
        countDisconnected(plan);
        return new LaterDelivery(
                later,
                () -> name == null || names.claim(name),
                plan.nodes().count() == 0 ? null : forwarding.prepare(message, plan, name));
    }

    private void countDisconnected(RoutingPlan plan) {
        if (plan.away() > 0) {
            droppedDisconnected.increment(plan.away());
        }
    }

    /** The recipients of one bucket, split into commands that respect the limits and name each client once. */
    private static final class QueueRecipients {
        private final int bucket;
        private final Map<String, QueueRecipient> recipients = HashMap.newHashMap(1);

        QueueRecipients(int bucket) {
            this.bucket = bucket;
        }

        void add(QueueRecipient recipient, PublishMessage message, List<LogAppend> appends) {
            if (isFull(message) || recipients.containsKey(recipient.clientId().value())) {
                flush(message, appends);
                recipients.clear();
            }
            recipients.put(recipient.clientId().value(), recipient);
        }

        private boolean isFull(PublishMessage message) {
            long oneMore = recipients.size() + 1L;
            return oneMore > BucketCommand.MAXIMUM_RECIPIENTS
                    || (oneMore > 1 && oneMore * message.heldBytes() > BucketCommand.MAXIMUM_COPIED_BYTES);
        }

        void flush(PublishMessage message, List<LogAppend> appends) {
            appends.add(new LogAppend.ToBucket(
                    bucket, new BucketCommand.Enqueue(message, new ArrayList<>(recipients.values()))));
        }
    }
}

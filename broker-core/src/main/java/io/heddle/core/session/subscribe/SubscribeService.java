package io.heddle.core.session.subscribe;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Adds and removes the subscriptions of sessions. Called on the session's event loop; the session's own map of subscriptions changes
 * together with the trie.
 */
public final class SubscribeService {
    private static final int REMOVALS_PER_STEP = 64;

    /** The number of filters that a packet may contain in any case. */
    private static final int LEAST_FILTERS = 1_000;

    private final SubscriptionTrie trie;
    private final PersistentSessions persistentSessions;
    private final MemoryBudget memory;
    private final AppendAdmission admission;
    private final int maximumTopicLevels;
    private final int maximumSubscriptions;
    private final SessionMetrics metrics;

    /** Changes the subscriptions of a node. */
    public SubscribeService(
            SubscriptionTrie trie,
            PersistentSessions persistentSessions,
            MemoryBudget memory,
            AppendAdmission admission,
            int maximumTopicLevels,
            int maximumSubscriptions,
            SessionMetrics metrics) {
        this.trie = trie;
        this.persistentSessions = persistentSessions;
        this.memory = memory;
        this.admission = admission;
        this.maximumTopicLevels = maximumTopicLevels;
        this.maximumSubscriptions = maximumSubscriptions;
        this.metrics = metrics;
        metrics.gauge("heddle.subscriptions", trie, SubscriptionTrie::size);
        metrics.gauge("heddle.subscriptions.trie.nodes", trie, SubscriptionTrie::nodeCount);
        metrics.gauge("heddle.subscriptions.wildcard.patterns", trie, SubscriptionTrie::wildcardPatterns);
    }

    /** Admits the changes of persistent sessions to the log. */
    public AppendAdmission admission() {
        return admission;
    }

    /** Returns whether a packet has more filters than the event loop should process in one step. */
    boolean exceedsPacket(int filters) {
        return filters > Math.max(maximumSubscriptions, LEAST_FILTERS);
    }

    /**
     * Answers each filter in its place: a refused filter does not affect the others [MQTT-3.8.4-5]. A request that repeats the latest one
     * for its filter gets the same answer and changes nothing. Retained messages follow SUBACK.
     *
     * @param completed runs on the event loop when the changes are written or have failed, also when this method throws
     * @throws ProtocolException for a filter that violates the standard, and for a shared subscription with No Local [MQTT-3.8.3-4]
     */
    void subscribe(SessionHandle session, Connection connection, SubscribePacket packet, Runnable completed) {
        List<ReasonCode> reasons = new ArrayList<>(packet.requests().size());
        List<Subscription> withRetained = new ArrayList<>();
        RouteChanges changes = new RouteChanges(session, persistentSessions, completed);
        boolean done = false;
        try {
            Map<String, Answered> answered =
                    HashMap.newHashMap(packet.requests().size());
            for (SubscriptionRequest request : packet.requests()) {
                Answered latest = answered.get(request.topicFilter());
                ReasonCode reason;
                if (latest != null && latest.request().equals(request)) {
                    reason = latest.reason();
                } else {
                    reason = answer(session, request, packet.subscriptionIdentifier(), withRetained, changes);
                    answered.put(request.topicFilter(), new Answered(request, reason));
                }
                if (reason.isError()) {
                    metrics.subscriptionsRefused.increment();
                }
                reasons.add(reason);
            }
            done = true;
        } finally {
            if (!done) {
                // The filters before the invalid one are subscribed.
                changes.whenWritten(SubscribeService::noAnswer);
            }
        }
        changes.whenWritten(() -> {
            connection.send(new SubAckPacket(packet.packetId(), null, List.of(), reasons));
            for (Subscription subscription : withRetained) {
                session.subscriptions().deliverRetained(subscription);
            }
            session.proceed();
        });
    }

    private static void noAnswer() {
        // The connection ends.
    }

    private record Answered(SubscriptionRequest request, ReasonCode reason) {}

    /** Answers a SUBSCRIBE packet that is too large to be processed, or that the node has no room for. */
    void refuse(Connection connection, SubscribePacket packet) {
        int filters = packet.requests().size();
        metrics.subscriptionsRefused.increment(filters);
        connection.send(new SubAckPacket(
                packet.packetId(), null, List.of(), Collections.nCopies(filters, ReasonCode.QUOTA_EXCEEDED)));
    }

    private ReasonCode answer(
            SessionHandle session,
            SubscriptionRequest request,
            int identifier,
            List<Subscription> withRetained,
            RouteChanges changes) {
        try {
            return subscribe(session, request, identifier, withRetained, changes);
        } catch (ProtocolException refused) {
            return switch (refused.reason()) {
                // Valid, but not accepted by this server.
                case TOPIC_FILTER_INVALID, QUOTA_EXCEEDED -> refused.reason();
                default -> throw refused;
            };
        }
    }

    private ReasonCode subscribe(
            SessionHandle session,
            SubscriptionRequest request,
            int identifier,
            List<Subscription> withRetained,
            RouteChanges changes) {
        TopicFilter filter = TopicFilter.parse(request.topicFilter(), maximumTopicLevels);
        boolean shared = filter.shareName() != null;
        if (shared && request.noLocal()) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "No Local on a shared subscription");
        }
        Map<String, Subscription> own = session.subscriptions().byFilter();
        if (shared) {
            session.joinGroup();
        }
        boolean isNew = !own.containsKey(filter.value());
        if (isNew && own.size() >= maximumSubscriptions) {
            return ReasonCode.QUOTA_EXCEEDED;
        }
        Subscription subscription = trie.shared(
                session.subscriber(),
                new Subscription(
                        filter, request.maximumQos(), request.noLocal(), request.retainAsPublished(), identifier));
        if (isNew && !charge(session, subscription)) {
            return ReasonCode.QUOTA_EXCEEDED;
        }
        try {
            trie.put(session.subscriber(), subscription);
        } catch (ProtocolException refused) {
            if (isNew) {
                release(session, subscription);
            }
            throw refused;
        }
        own.put(subscription.topicFilter().value(), subscription);
        changes.added(subscription);
        session.subscriptions().replaced(subscription);
        // A shared subscription gets no retained messages (MQTT 5.0, section 4.8.2).
        if (!shared && wantsRetained(request.retainHandling(), isNew)) {
            withRetained.add(subscription);
        }
        return switch (request.maximumQos()) {
            case AT_MOST_ONCE -> ReasonCode.SUCCESS;
            case AT_LEAST_ONCE -> ReasonCode.GRANTED_QOS_1;
            case EXACTLY_ONCE -> ReasonCode.GRANTED_QOS_2;
        };
    }

    private boolean charge(SessionHandle session, Subscription subscription) {
        long bytes = subscription.heldBytes();
        // An estimate that assumes equal sizes.
        long held = session.subscriptions().byFilter().size() * bytes;
        return session.persistent() == null ? memory.tryCharge(bytes, held) : memory.tryChargePersistent(bytes, held);
    }

    private void release(SessionHandle session, Subscription subscription) {
        if (session.persistent() == null) {
            memory.release(subscription.heldBytes());
        } else {
            memory.releasePersistent(subscription.heldBytes());
        }
    }

    /** [MQTT-3.3.1-9] [MQTT-3.3.1-10] [MQTT-3.3.1-11] */
    private static boolean wantsRetained(RetainHandling handling, boolean isNew) {
        return switch (handling) {
            case SEND -> true;
            case SEND_IF_NEW -> isNew;
            case DO_NOT_SEND -> false;
        };
    }

    /**
     * Compares filters as text [MQTT-3.10.4-1]; a filter without a subscription gets its own reason code [MQTT-3.11.3-1].
     *
     * @param completed runs on the event loop when the changes are written or have failed, also when this method throws
     * @throws ProtocolException for a filter that violates the standard
     */
    void unsubscribe(SessionHandle session, Connection connection, UnsubscribePacket packet, Runnable completed) {
        RouteChanges changes = new RouteChanges(session, persistentSessions, completed);
        List<ReasonCode> reasons = new ArrayList<>(packet.topicFilters().size());
        boolean done = false;
        try {
            for (String topicFilter : packet.topicFilters()) {
                reasons.add(unsubscribe(session, topicFilter, changes));
            }
            done = true;
        } finally {
            if (!done) {
                changes.whenWritten(SubscribeService::noAnswer);
            }
        }
        changes.whenWritten(() -> connection.send(new UnsubAckPacket(packet.packetId(), null, List.of(), reasons)));
    }

    private ReasonCode unsubscribe(SessionHandle session, String topicFilter, RouteChanges changes) {
        Subscription subscription = session.subscriptions().byFilter().remove(topicFilter);
        if (subscription == null) {
            TopicFilter.parse(topicFilter, Integer.MAX_VALUE);
            return ReasonCode.NO_SUBSCRIPTION_EXISTED;
        }
        trie.remove(session.subscriber(), subscription.topicFilter());
        changes.removed(subscription);
        release(session, subscription);
        session.subscriptions().removed(topicFilter);
        return ReasonCode.SUCCESS;
    }

    /** Updates the shared subscriptions of a persistent session whose client has connected or disconnected. */
    public void connectionChanged(PersistentSession session) {
        for (Subscription subscription : session.subscriptions().values()) {
            if (subscription.topicFilter().isShared()) {
                trie.connectionChanged(session.subscriber(), subscription.topicFilter());
            }
        }
    }

    /**
     * Removes every subscription of a session that has lost its client: shared ones at once, so that other members get their messages, and
     * the others in the steps of the returned work. No message reaches the session meanwhile.
     */
    public BackgroundWork unsubscribeAll(SessionHandle session, Map<String, Subscription> own) {
        Iterator<Subscription> shared = own.values().iterator();
        while (shared.hasNext()) {
            Subscription subscription = shared.next();
            if (subscription.topicFilter().isShared()) {
                shared.remove();
                unsubscribe(session, subscription);
            }
        }
        Iterator<Subscription> rest = own.values().iterator();
        return () -> {
            for (int i = 0; i < REMOVALS_PER_STEP && rest.hasNext(); i++) {
                Subscription subscription = rest.next();
                rest.remove();
                unsubscribe(session, subscription);
            }
            return rest.hasNext();
        };
    }

    private void unsubscribe(SessionHandle session, Subscription subscription) {
        trie.remove(session, subscription.topicFilter());
        memory.release(subscription.heldBytes());
    }
}

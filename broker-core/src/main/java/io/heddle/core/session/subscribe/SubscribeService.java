package io.heddle.core.session.subscribe;

import io.heddle.core.Limit;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.quota.AppendAdmission;
import io.heddle.core.routing.interest.TransientInterest;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.registrar.FilterRequest;
import io.heddle.core.session.registrar.Registrar;
import io.heddle.core.session.registrar.SubscriptionEditor;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.sys.SysTopics;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers SUBSCRIBE and UNSUBSCRIBE. Changes the subscriptions of a session that ends with its connection; the {@link Registrar} changes
 * those of a persistent session ({@link PersistentChange}). Called on the session's event loop.
 */
public final class SubscribeService {
    private static final int REMOVALS_PER_STEP = 64;

    /** The number of filters that a packet may contain in any case. */
    private static final int LEAST_FILTERS = 1_000;

    private final SubscriptionEditor editor;
    private final TransientInterest interest;
    private final Registrar registrar;
    private final AppendAdmission admission;
    private final int maximumTopicLevels;
    private final TopicRules topics;
    private final SessionMetrics metrics;

    /**
     * @param trie that {@code editor} changes; its size is measured
     * @param interest to which {@code editor} reports its changes
     */
    public SubscribeService(
            SubscriptionTrie trie,
            SubscriptionEditor editor,
            TransientInterest interest,
            Registrar registrar,
            AppendAdmission admission,
            int maximumTopicLevels,
            TopicRules topics,
            SessionMetrics metrics) {
        this.editor = editor;
        this.interest = interest;
        this.registrar = registrar;
        this.admission = admission;
        this.maximumTopicLevels = maximumTopicLevels;
        this.topics = topics;
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
        return filters > Math.max(editor.maximumSubscriptions(), LEAST_FILTERS);
    }

    /** The limit of the filters of a packet, unless it is lower than {@value #LEAST_FILTERS}. */
    Limit packetLimit() {
        return editor.maximum();
    }

    /**
     * Answers each filter in its place: a refused filter does not affect the others [MQTT-3.8.4-5]. A request that repeats the latest one
     * for its filter gets the same answer and changes nothing. SUBACK waits until all nodes know the subscriptions, and until this node
     * knows their retained messages, which follow it.
     *
     * @param completed runs on the event loop when the packet is answered or the changes have failed, also when this method throws
     * @throws ProtocolException for a filter that violates the standard, and for a shared subscription with No Local [MQTT-3.8.3-4]
     */
    void subscribe(SessionHandle session, Connection connection, SubscribePacket packet, Runnable completed) {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            new PersistentChange(session, persistent, connection, this, completed).subscribe(packet);
        } else {
            subscribeTransient(session, connection, packet, completed);
        }
    }

    private void subscribeTransient(
            SessionHandle session, Connection connection, SubscribePacket packet, Runnable completed) {
        List<Subscription> withRetained = new ArrayList<>();
        List<ReasonCode> reasons;
        try {
            reasons = subscribe(session, packet, withRetained);
        } catch (RuntimeException refused) {
            completed.run();
            throw refused;
        }
        Runnable answer = () -> {
            completed.run();
            if (session.isConnected()) {
                answer(connection, packet, reasons);
                session.proceed();
            }
        };
        if (!withRetained.isEmpty()) {
            session.subscriptions().expectRetained();
        }
        interest.whenKnown(session.eventLoop(), () -> {
            if (withRetained.isEmpty() || !session.isConnected()) {
                answer.run();
            } else {
                session.subscriptions().deliverRetained(withRetained, answer);
            }
        });
    }

    private List<ReasonCode> subscribe(SessionHandle session, SubscribePacket packet, List<Subscription> withRetained) {
        List<ReasonCode> reasons = new ArrayList<>(packet.requests().size());
        Map<String, Answered> answered = HashMap.newHashMap(packet.requests().size());
        for (SubscriptionRequest request : packet.requests()) {
            Answered latest = answered.get(request.topicFilter());
            ReasonCode reason;
            if (latest != null && latest.request().equals(request)) {
                reason = latest.reason();
            } else {
                reason = subscribe(session, request, packet.subscriptionIdentifier(), withRetained);
                answered.put(request.topicFilter(), new Answered(request, reason));
            }
            reasons.add(reason);
        }
        return reasons;
    }

    private record Answered(SubscriptionRequest request, ReasonCode reason) {}

    /** Sends SUBACK and counts the refused filters. */
    void answer(Connection connection, SubscribePacket packet, List<ReasonCode> reasons) {
        for (ReasonCode reason : reasons) {
            if (reason.isError()) {
                metrics.subscriptionsRefused.increment();
            }
        }
        connection.send(new SubAckPacket(packet.packetId(), null, List.of(), reasons));
        metrics.incidents().events().subscribed(packet.requests(), reasons, connection);
    }

    /** Answers a SUBSCRIBE packet that is too large to be processed, or that the node has no room for. */
    void refuse(SessionHandle session, Connection connection, SubscribePacket packet, Limit limit) {
        metrics.incidents().refused(limit, "all filters of a SUBSCRIBE", session.clientId());
        answer(connection, packet, Collections.nCopies(packet.requests().size(), ReasonCode.QUOTA_EXCEEDED));
    }

    private ReasonCode subscribe(
            SessionHandle session, SubscriptionRequest request, int identifier, List<Subscription> withRetained) {
        FilterRequest valid;
        try {
            valid = parse(session, request);
        } catch (ProtocolException invalid) {
            return refusalReason(session, invalid);
        }
        if (valid.filter().isShared()) {
            session.joinGroup();
        }
        SubscriptionEditor.Result result =
                editor.subscribe(session.subscriber(), session.subscriptions().byFilter(), valid, identifier);
        Subscription subscription = result.subscription();
        if (subscription != null) {
            session.subscriptions().changed(request.topicFilter());
            if (result.wantsRetained()) {
                withRetained.add(subscription);
            }
        }
        return result.reason();
    }

    /** @throws ProtocolException for an invalid filter, and for one that this client may not use */
    FilterRequest parse(SessionHandle session, SubscriptionRequest request) {
        TopicFilter filter = TopicFilter.parse(request.topicFilter(), maximumTopicLevels);
        if (filter.isShared() && request.noLocal()) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "No Local on a shared subscription");
        }
        if (SysTopics.isNamedBy(filter)) {
            requireSysReader(session, filter);
        } else if (!topics.isOpenToSubscribers(filter)) {
            // Granted, it would never get a message: the client relies on a feature of another server.
            throw new ProtocolException(
                    ReasonCode.TOPIC_FILTER_INVALID, "no messages are published to topics that begin so");
        }
        if (session.rules().decideSubscribe(filter, request.maximumQos()) == SubscriptionDecision.DENIED) {
            metrics.incidents().subscriptionDenied(filter.value(), session.clientId());
            throw new ProtocolException(ReasonCode.NOT_AUTHORIZED, "a rule, or the default of the rules, denies it");
        }
        return new FilterRequest(
                filter, request.maximumQos(), request.noLocal(), request.retainAsPublished(), request.retainHandling());
    }

    /** Each node publishes its own values, so a group of clients at several nodes would share nothing. */
    private static void requireSysReader(SessionHandle session, TopicFilter filter) {
        if (filter.isShared()) {
            throw new ProtocolException(
                    ReasonCode.TOPIC_FILTER_INVALID, "a shared subscription to topics of the broker");
        }
        if (!session.mayReadSys()) {
            throw new ProtocolException(ReasonCode.NOT_AUTHORIZED, "this client may not read the topics of the broker");
        }
    }

    /**
     * Returns the reason code of a filter that is valid, but not accepted by this server.
     *
     * @throws ProtocolException the argument, for any other filter
     */
    ReasonCode refusalReason(SessionHandle session, ProtocolException invalid) {
        if (invalid.reason() != ReasonCode.TOPIC_FILTER_INVALID && invalid.reason() != ReasonCode.NOT_AUTHORIZED) {
            throw invalid;
        }
        Limit limit = invalid.limit();
        if (limit != null) {
            metrics.incidents().refused(limit, invalid.detail(), session.clientId());
        }
        return invalid.reason();
    }

    /**
     * Compares filters as text [MQTT-3.10.4-1]; a filter without a subscription gets its own reason code [MQTT-3.11.3-1].
     *
     * @param completed runs on the event loop when the changes are written or have failed, also when this method throws
     * @throws ProtocolException for a filter that violates the standard
     */
    void unsubscribe(SessionHandle session, Connection connection, UnsubscribePacket packet, Runnable completed) {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            new PersistentChange(session, persistent, connection, this, completed).unsubscribe(packet);
        } else {
            try {
                unsubscribe(session, connection, packet);
            } finally {
                completed.run();
            }
        }
    }

    private void unsubscribe(SessionHandle session, Connection connection, UnsubscribePacket packet) {
        Map<String, Subscription> own = session.subscriptions().byFilter();
        List<ReasonCode> reasons = new ArrayList<>(packet.topicFilters().size());
        for (String topicFilter : packet.topicFilters()) {
            if (editor.unsubscribe(session.subscriber(), own, topicFilter) == null) {
                requireValid(topicFilter);
                reasons.add(ReasonCode.NO_SUBSCRIPTION_EXISTED);
            } else {
                session.subscriptions().changed(topicFilter);
                reasons.add(ReasonCode.SUCCESS);
            }
        }
        answer(connection, packet, reasons);
    }

    /**
     * Removes the subscriptions that the rules of a client deny. On the session's event loop.
     *
     * @return completes when they are removed
     */
    public CompletionStage<Void> applyRules(SessionHandle session) {
        return session.rules().rules().allowsEverything()
                ? CompletableFuture.completedStage(null)
                : new RevokedSubscriptions(session, this).start();
    }

    /** Removes subscriptions of a session that ends with its connection. */
    void remove(SessionHandle session, List<String> topicFilters) {
        for (String topicFilter : topicFilters) {
            editor.unsubscribe(session.subscriber(), session.subscriptions().byFilter(), topicFilter);
            session.subscriptions().changed(topicFilter);
        }
    }

    /** Tells the client that subscriptions were removed. */
    void revoked(SessionHandle session, List<String> topicFilters) {
        metrics.subscriptionsRevoked.increment(topicFilters.size());
        metrics.incidents().subscriptionsRevoked(topicFilters, session.clientId());
        if (session.rules().rules().options().disconnectsRevoked()) {
            session.disconnect(ReasonCode.NOT_AUTHORIZED);
        }
    }

    /** Sends UNSUBACK. */
    void answer(Connection connection, UnsubscribePacket packet, List<ReasonCode> reasons) {
        connection.send(new UnsubAckPacket(packet.packetId(), null, List.of(), reasons));
        metrics.incidents().events().unsubscribed(packet.topicFilters(), reasons, connection);
    }

    /** @throws ProtocolException for a filter that violates the standard */
    static void requireValid(String topicFilter) {
        TopicFilter.parse(topicFilter, Integer.MAX_VALUE);
    }

    Registrar registrar() {
        return registrar;
    }

    /** Updates the shared subscriptions of a persistent session whose client has connected or disconnected. */
    public void connectionChanged(PersistentSession session) {
        editor.connectionChanged(session.subscriber(), session.subscriptions());
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
                editor.remove(session, subscription);
            }
        }
        Iterator<Subscription> rest = own.values().iterator();
        return () -> {
            for (int i = 0; i < REMOVALS_PER_STEP && rest.hasNext(); i++) {
                Subscription subscription = rest.next();
                rest.remove();
                editor.remove(session, subscription);
            }
            return rest.hasNext();
        };
    }
}

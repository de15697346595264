package io.heddle.core.session;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes and ends the subscriptions of sessions. Called on the session's event loop; the session's own map of subscriptions is
 * given with each call and changes together with the trie.
 */
public final class SubscribeService {
    private final SubscriptionTrie trie;
    private final SessionSettings settings;

    /** Over the subscriptions of a node. */
    public SubscribeService(SubscriptionTrie trie, SessionSettings settings, SessionMetrics metrics) {
        this.trie = trie;
        this.settings = settings;
        metrics.gauge("heddle.subscriptions", trie, SubscriptionTrie::size);
        metrics.gauge("heddle.subscriptions.trie.nodes", trie, SubscriptionTrie::nodeCount);
    }

    /** Answers each filter in its place: one that is refused does not stop the others [MQTT-3.8.4-5]. */
    SubAckPacket subscribe(LocalSession session, Map<String, Subscription> own, SubscribePacket packet) {
        List<ReasonCode> reasons = new ArrayList<>(packet.requests().size());
        for (SubscriptionRequest request : packet.requests()) {
            reasons.add(subscribe(session, own, request, packet.subscriptionIdentifier()));
        }
        return new SubAckPacket(packet.packetId(), null, List.of(), reasons);
    }

    private ReasonCode subscribe(
            LocalSession session, Map<String, Subscription> own, SubscriptionRequest request, int identifier) {
        TopicFilter filter;
        try {
            filter = TopicFilter.parse(request.topicFilter(), settings.maximumTopicLevels());
        } catch (ProtocolException invalid) {
            return invalid.reason();
        }
        if (filter.shareName() != null) {
            return ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED;
        }
        if (own.size() >= settings.maximumSubscriptions() && !own.containsKey(filter.value())) {
            return ReasonCode.QUOTA_EXCEEDED;
        }
        QoS granted = request.maximumQos().min(ServerCapabilities.MAXIMUM_QOS);
        Subscription subscription =
                new Subscription(filter, granted, request.noLocal(), request.retainAsPublished(), identifier);
        own.put(filter.value(), subscription);
        trie.put(session, subscription);
        return switch (granted) {
            case AT_MOST_ONCE -> ReasonCode.SUCCESS;
            case AT_LEAST_ONCE -> ReasonCode.GRANTED_QOS_1;
            case EXACTLY_ONCE -> ReasonCode.GRANTED_QOS_2;
        };
    }

    /** Filters are compared as text [MQTT-3.10.4-1]; one that was not subscribed is answered so [MQTT-3.11.3-1]. */
    UnsubAckPacket unsubscribe(LocalSession session, Map<String, Subscription> own, UnsubscribePacket packet) {
        List<ReasonCode> reasons = new ArrayList<>(packet.topicFilters().size());
        for (String topicFilter : packet.topicFilters()) {
            Subscription subscription = own.remove(topicFilter);
            if (subscription == null) {
                reasons.add(ReasonCode.NO_SUBSCRIPTION_EXISTED);
            } else {
                trie.remove(session, subscription.topicFilter());
                reasons.add(ReasonCode.SUCCESS);
            }
        }
        return new UnsubAckPacket(packet.packetId(), null, List.of(), reasons);
    }

    /** Ends every subscription of a session. */
    void unsubscribeAll(LocalSession session, Map<String, Subscription> own) {
        for (Subscription subscription : own.values()) {
            trie.remove(session, subscription.topicFilter());
        }
        own.clear();
    }
}

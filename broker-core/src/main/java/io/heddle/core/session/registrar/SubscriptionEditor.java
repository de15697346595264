package io.heddle.core.session.registrar;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.routing.interest.TransientInterest;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Changes the subscriptions of sessions within the limits: in the trie, in the session's own map, and in the memory budget. Each call is
 * made by the owner of the session's own map.
 */
public final class SubscriptionEditor {
    private final SubscriptionTrie trie;
    private final TransientInterest interest;
    private final MemoryBudget memory;
    private final int maximumSubscriptions;
    private final ClientIncidents incidents;

    /**
     * @param interest learns the subscriptions of sessions that end with their connections
     * @param maximumSubscriptions of one session
     */
    public SubscriptionEditor(
            SubscriptionTrie trie,
            TransientInterest interest,
            MemoryBudget memory,
            int maximumSubscriptions,
            ClientIncidents incidents) {
        this.trie = trie;
        this.interest = interest;
        this.memory = memory;
        this.maximumSubscriptions = maximumSubscriptions;
        this.incidents = incidents;
    }

    /** The highest number of subscriptions of one session. */
    public int maximumSubscriptions() {
        return maximumSubscriptions;
    }

    /** The limit of the subscriptions of one session. */
    public Limit maximum() {
        return new Limit("heddle.session.maximum-subscriptions", maximumSubscriptions);
    }

    /**
     * The result of one filter of a SUBSCRIBE.
     *
     * @param reason of SUBACK
     * @param subscription that was added or has replaced another one; null if it was refused
     * @param wantsRetained whether the retained messages of the filter are sent
     */
    public record Result(ReasonCode reason, @Nullable Subscription subscription, boolean wantsRetained) {
        private static final Result REFUSED = new Result(ReasonCode.QUOTA_EXCEEDED, null, false);
    }

    /**
     * Adds or replaces a subscription.
     *
     * @param own the subscriptions of the session by the text of their filters
     */
    public Result subscribe(
            SessionSubscriber subscriber, Map<String, Subscription> own, FilterRequest request, int identifier) {
        String filter = request.filter().value();
        boolean isNew = !own.containsKey(filter);
        if (isNew && own.size() >= maximumSubscriptions) {
            incidents.refused(maximum(), "a subscription", subscriber.clientId());
            return Result.REFUSED;
        }
        Subscription subscription = trie.shared(
                subscriber,
                new Subscription(
                        request.filter(),
                        request.maximumQos(),
                        request.noLocal(),
                        request.retainAsPublished(),
                        identifier));
        if (isNew && !charge(subscriber, own, subscription)) {
            Limit limit = isPersistent(subscriber) ? memory.persistentLimit() : memory.limit();
            incidents.refused(limit, "a subscription, for lack of memory", subscriber.clientId());
            return Result.REFUSED;
        }
        try {
            trie.put(subscriber, subscription);
        } catch (ProtocolException refused) {
            if (isNew) {
                release(subscriber, subscription);
            }
            Limit limit = refused.limit();
            if (limit != null) {
                incidents.refused(limit, refused.detail(), subscriber.clientId());
            }
            return new Result(refused.reason(), null, false);
        }
        Subscription before = own.put(subscription.topicFilter().value(), subscription);
        if (!isPersistent(subscriber)) {
            interest.changed(before, subscription);
        }
        return new Result(granted(request), subscription, request.wantsRetained(isNew));
    }

    private static ReasonCode granted(FilterRequest request) {
        return switch (request.maximumQos()) {
            case AT_MOST_ONCE -> ReasonCode.SUCCESS;
            case AT_LEAST_ONCE -> ReasonCode.GRANTED_QOS_1;
            case EXACTLY_ONCE -> ReasonCode.GRANTED_QOS_2;
        };
    }

    /** Removes and returns a subscription, or returns null when there is none. Compares filters as text [MQTT-3.10.4-1]. */
    public @Nullable Subscription unsubscribe(
            SessionSubscriber subscriber, Map<String, Subscription> own, String topicFilter) {
        Subscription subscription = own.remove(topicFilter);
        if (subscription != null) {
            remove(subscriber, subscription);
        }
        return subscription;
    }

    /** Removes a subscription that is not in the session's own map any more. */
    public void remove(SessionSubscriber subscriber, Subscription subscription) {
        trie.remove(subscriber, subscription.topicFilter());
        release(subscriber, subscription);
        if (!isPersistent(subscriber)) {
            interest.changed(subscription, null);
        }
    }

    /** Updates the shared subscriptions of a session whose client has connected or disconnected. Any thread. */
    public void connectionChanged(SessionSubscriber subscriber, Map<String, Subscription> own) {
        for (Subscription subscription : own.values()) {
            if (subscription.topicFilter().isShared()) {
                trie.connectionChanged(subscriber, subscription.topicFilter());
            }
        }
    }

    /** Updates one shared subscription, whose client may have connected or disconnected while it was added. */
    void connectionChanged(SessionSubscriber subscriber, Subscription subscription) {
        if (subscription.topicFilter().isShared()) {
            trie.connectionChanged(subscriber, subscription.topicFilter());
        }
    }

    private boolean charge(SessionSubscriber subscriber, Map<String, Subscription> own, Subscription subscription) {
        long bytes = subscription.heldBytes();
        // An estimate that assumes equal sizes.
        long held = own.size() * bytes;
        return isPersistent(subscriber) ? memory.tryChargePersistent(bytes, held) : memory.tryCharge(bytes, held);
    }

    private void release(SessionSubscriber subscriber, Subscription subscription) {
        if (isPersistent(subscriber)) {
            memory.releasePersistent(subscription.heldBytes());
        } else {
            memory.release(subscription.heldBytes());
        }
    }

    private static boolean isPersistent(SessionSubscriber subscriber) {
        return subscriber instanceof PersistentSubscriber;
    }
}

package io.heddle.core.subscription;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubscribePacket;
import java.util.List;

/** A topic filter with its subscription options. Immutable; a new SUBSCRIBE replaces it. */
public final class Subscription {
    private static final int HELD_BYTES = 256;
    private static final int BYTES_PER_LEVEL = 64;

    private final TopicFilter topicFilter;
    private final boolean noLocal;
    private final DeliveryTerms terms;

    /**
     * @param grantedQos granted by SUBACK
     * @param identifier 1 to 268,435,455, or {@link SubscribePacket#NO_SUBSCRIPTION_IDENTIFIER}
     */
    public Subscription(
            TopicFilter topicFilter, QoS grantedQos, boolean noLocal, boolean retainAsPublished, int identifier) {
        this.topicFilter = topicFilter;
        this.noLocal = noLocal;
        List<Integer> identifiers =
                identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER ? List.of() : List.of(identifier);
        if (topicFilter.isShared()) {
            this.terms = new DeliveryTerms(grantedQos, retainAsPublished, identifiers, topicFilter);
        } else if (identifiers.isEmpty()) {
            this.terms = DeliveryTerms.withoutIdentifier(grantedQos, retainAsPublished);
        } else {
            this.terms = new DeliveryTerms(grantedQos, retainAsPublished, identifiers);
        }
    }

    /** Returns whether another subscription has the same filter and options, so that clients can share the instance. */
    boolean isEqualTo(Subscription other) {
        return noLocal == other.noLocal && terms.equals(other.terms) && topicFilter.equals(other.topicFilter);
    }

    /**
     * Estimates its memory: the text, the object, its entries in the session and, as if no other subscription shared them, in the
     * trie.
     */
    public long heldBytes() {
        return HELD_BYTES + 2L * topicFilter.value().length() + (long) BYTES_PER_LEVEL * topicFilter.levelCount();
    }

    public TopicFilter topicFilter() {
        return topicFilter;
    }

    /** Returns whether the client's own messages are not sent to it [MQTT-3.8.3-3]. */
    public boolean noLocal() {
        return noLocal;
    }

    /** Returns the delivery terms of a message that only this subscription matches. */
    public DeliveryTerms terms() {
        return terms;
    }

    /** Returns the Subscription Identifier, or {@link SubscribePacket#NO_SUBSCRIPTION_IDENTIFIER}. */
    public int identifier() {
        List<Integer> identifiers = terms.subscriptionIdentifiers();
        return identifiers.isEmpty() ? SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER : identifiers.getFirst();
    }
}

package io.heddle.core.subscription;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.packet.SubscribePacket;
import java.util.List;

/** A topic filter with the options that the client subscribed with. Immutable; a new SUBSCRIBE replaces it. */
public final class Subscription {
    private static final int HELD_BYTES = 256;
    private static final int BYTES_PER_LEVEL = 64;

    private final TopicFilter topicFilter;
    private final boolean noLocal;
    private final DeliveryTerms terms;

    /**
     * A subscription.
     *
     * @param grantedQos what SUBACK granted
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

    /** Whether another is the same for everybody: both are for one filter, with the same options. */
    boolean isSame(Subscription other) {
        return noLocal == other.noLocal && terms.equals(other.terms) && topicFilter.equals(other.topicFilter);
    }

    /** About what it costs to have it: its text, itself, its places in the session and, as if it were alone there, in the trie. */
    public long heldBytes() {
        return HELD_BYTES + 2L * topicFilter.value().length() + (long) BYTES_PER_LEVEL * topicFilter.levelCount();
    }

    /** What it matches. */
    public TopicFilter topicFilter() {
        return topicFilter;
    }

    /** Whether the client does not want what it publishes itself [MQTT-3.8.3-3]. */
    public boolean noLocal() {
        return noLocal;
    }

    /** How its client gets a message that only this subscription matches. */
    public DeliveryTerms terms() {
        return terms;
    }

    /** The Subscription Identifier, or {@link SubscribePacket#NO_SUBSCRIPTION_IDENTIFIER}. */
    public int identifier() {
        List<Integer> identifiers = terms.subscriptionIdentifiers();
        return identifiers.isEmpty() ? SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER : identifiers.getFirst();
    }
}

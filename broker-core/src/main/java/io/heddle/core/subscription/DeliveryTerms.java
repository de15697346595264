package io.heddle.core.subscription;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one client gets one message: what its matching subscriptions grant together.
 *
 * @param maximumQos the highest of them [MQTT-3.3.4-2]
 * @param retainAsPublished whether any of them keeps the RETAIN flag
 * @param subscriptionIdentifiers of all of them that have one [MQTT-3.3.4-4]
 * @param sharedFilter of the shared subscription that chose this client, or null of its own subscriptions; such terms are merged
 *     with nothing
 */
public record DeliveryTerms(
        QoS maximumQos,
        boolean retainAsPublished,
        List<Integer> subscriptionIdentifiers,
        @Nullable TopicFilter sharedFilter) {
    private static final DeliveryTerms[] RETAIN_CLEARED = forEachQos(false);
    private static final DeliveryTerms[] RETAIN_AS_PUBLISHED = forEachQos(true);

    public DeliveryTerms {
        subscriptionIdentifiers = List.copyOf(subscriptionIdentifiers);
    }

    /** Terms of a client's own subscriptions. */
    public DeliveryTerms(QoS maximumQos, boolean retainAsPublished, List<Integer> subscriptionIdentifiers) {
        this(maximumQos, retainAsPublished, subscriptionIdentifiers, null);
    }

    /**
     * The terms of a subscription of a client's own that has no identifier: the same object for the same terms, as
     * there may be millions.
     */
    static DeliveryTerms withoutIdentifier(QoS maximumQos, boolean retainAsPublished) {
        return (retainAsPublished ? RETAIN_AS_PUBLISHED : RETAIN_CLEARED)[maximumQos.level()];
    }

    private static DeliveryTerms[] forEachQos(boolean retainAsPublished) {
        QoS[] all = QoS.values();
        DeliveryTerms[] terms = new DeliveryTerms[all.length];
        for (QoS qos : all) {
            terms[qos.level()] = new DeliveryTerms(qos, retainAsPublished, List.of());
        }
        return terms;
    }

    /** The terms of two subscriptions that match the same message. */
    public DeliveryTerms and(DeliveryTerms other) {
        boolean addsNothing = other.subscriptionIdentifiers.isEmpty()
                && other.maximumQos.compareTo(maximumQos) <= 0
                && (retainAsPublished || !other.retainAsPublished);
        if (addsNothing) {
            return this;
        }
        List<Integer> identifiers = subscriptionIdentifiers;
        if (identifiers.isEmpty()) {
            identifiers = other.subscriptionIdentifiers;
        } else if (!other.subscriptionIdentifiers.isEmpty()) {
            identifiers = new ArrayList<>(identifiers);
            identifiers.addAll(other.subscriptionIdentifiers);
        }
        return new DeliveryTerms(
                maximumQos.max(other.maximumQos), retainAsPublished || other.retainAsPublished, identifiers);
    }
}

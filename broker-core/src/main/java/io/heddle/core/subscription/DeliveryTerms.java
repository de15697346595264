package io.heddle.core.subscription;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The merged options of one client's subscriptions that match a message.
 *
 * @param maximumQos the highest granted QoS [MQTT-3.3.4-2]
 * @param retainAsPublished whether any subscription keeps the RETAIN flag
 * @param subscriptionIdentifiers of all subscriptions that have one [MQTT-3.3.4-4]
 * @param sharedFilter the filter of the shared subscription that selected this client, or null for its non-shared subscriptions;
 *     terms of a shared subscription are never merged
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

    public DeliveryTerms(QoS maximumQos, boolean retainAsPublished, List<Integer> subscriptionIdentifiers) {
        this(maximumQos, retainAsPublished, subscriptionIdentifiers, null);
    }

    /** Returns the shared instance of terms without identifier, because millions of subscriptions may have the same. */
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

    /** Merges the terms of two subscriptions that match the same message. */
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

package io.heddle.core.operator.client;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.Subscription;

/**
 * @param topicFilter as the client has sent it, with {@code $share/} if it is shared
 * @param qos granted
 * @param identifier of the subscription; 0 for none
 */
public record SubscriptionEntry(
        String topicFilter, QoS qos, boolean noLocal, boolean retainAsPublished, int identifier) {
    /** Returns the entry of a subscription. */
    public static SubscriptionEntry of(Subscription subscription) {
        return new SubscriptionEntry(
                subscription.topicFilter().value(),
                subscription.terms().maximumQos(),
                subscription.noLocal(),
                subscription.terms().retainAsPublished(),
                subscription.identifier());
    }
}

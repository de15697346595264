package io.heddle.api.clients;

import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.operator.client.SubscriptionEntry;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a subscription of a client.
 *
 * @param topicFilter begins with $share/ if the subscription is shared
 * @param qos granted, 0 to 2
 * @param subscriptionIdentifier null for none
 */
record SubscriptionResponse(
        String topicFilter,
        int qos,
        boolean noLocal,
        boolean retainAsPublished,
        @Nullable Integer subscriptionIdentifier) {
    static SubscriptionResponse of(SubscriptionEntry subscription) {
        int identifier = subscription.identifier();
        return new SubscriptionResponse(
                subscription.topicFilter(),
                subscription.qos().level(),
                subscription.noLocal(),
                subscription.retainAsPublished(),
                identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER ? null : Integer.valueOf(identifier));
    }
}

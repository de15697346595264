package io.heddle.api.subscriptions;

import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a subscriber.
 *
 * @param topicFilter begins with $share/ if the subscription is shared
 * @param qos granted, 0 to 2
 * @param subscriptionIdentifier null for none
 * @param persistent whether its session outlives its connection
 */
record SubscriberResponse(
        String clientId,
        String topicFilter,
        int qos,
        boolean noLocal,
        boolean retainAsPublished,
        @Nullable Integer subscriptionIdentifier,
        boolean persistent) {
    static SubscriberResponse of(Subscriber subscriber) {
        int identifier = subscriber.subscription().identifier();
        return new SubscriberResponse(
                subscriber.clientId(),
                subscriber.subscription().topicFilter(),
                subscriber.subscription().qos().level(),
                subscriber.subscription().noLocal(),
                subscriber.subscription().retainAsPublished(),
                identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER ? null : Integer.valueOf(identifier),
                subscriber.isPersistent());
    }
}

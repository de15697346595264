package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.UserProperty;
import java.util.List;

/**
 * SUBSCRIBE: adds or replaces subscriptions.
 *
 * @param packetId 1 to 65,535
 * @param subscriptionIdentifier 1 to 268,435,455, or {@link #NO_SUBSCRIPTION_IDENTIFIER}
 * @param userProperties in the client's order
 * @param requests at least one [MQTT-3.8.3-2], answered in this order
 */
public record SubscribePacket(
        int packetId, int subscriptionIdentifier, List<UserProperty> userProperties, List<SubscriptionRequest> requests)
        implements MqttPacket {
    /** The packet carries no Subscription Identifier. */
    public static final int NO_SUBSCRIPTION_IDENTIFIER = 0;
}

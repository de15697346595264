package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.UserProperty;
import java.util.List;

/**
 * UNSUBSCRIBE: removes subscriptions.
 *
 * @param packetId 1 to 65,535
 * @param userProperties in the client's order
 * @param topicFilters at least one [MQTT-3.10.3-2]; well-formed text, compared character by character [MQTT-3.10.4-1]
 */
public record UnsubscribePacket(int packetId, List<UserProperty> userProperties, List<String> topicFilters)
        implements MqttPacket {}

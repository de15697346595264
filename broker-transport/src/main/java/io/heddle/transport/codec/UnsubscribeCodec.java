package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.util.ArrayList;
import java.util.List;

/** Decodes UNSUBSCRIBE (section 3.10). */
final class UnsubscribeCodec {
    private UnsubscribeCodec() {}

    static UnsubscribePacket decode(PacketReader reader, MqttVersion version) {
        int packetId = reader.readPacketId();
        List<UserProperty> userProperties = List.of();
        if (version.hasProperties()) {
            reader.beginProperties();
            while (reader.hasProperty()) {
                if (reader.nextProperty() != Property.USER_PROPERTY) {
                    throw reader.misplacedProperty();
                }
                reader.readUserProperty();
            }
            userProperties = reader.userProperties();
        }
        List<String> topicFilters = new ArrayList<>();
        while (reader.remaining() > 0) {
            topicFilters.add(reader.readTopicFilter());
        }
        if (topicFilters.isEmpty()) {
            throw protocolError("UNSUBSCRIBE without a topic filter"); // [MQTT-3.10.3-2]
        }
        return new UnsubscribePacket(packetId, userProperties, topicFilters);
    }
}

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import java.util.ArrayList;
import java.util.List;

/** Decodes SUBSCRIBE (section 3.8). */
final class SubscribeCodec {
    private static final String SHARE_PREFIX = "$share/";
    private static final int QOS = 0b11;
    private static final int NO_LOCAL = 0b100;
    private static final int RETAIN_AS_PUBLISHED = 0b1000;
    private static final int RETAIN_HANDLING_SHIFT = 4;
    private static final int RESERVED_3 = 0b1111_1100;
    private static final int RESERVED_5 = 0b1100_0000;

    private SubscribeCodec() {}

    static SubscribePacket decode(PacketReader reader, MqttVersion version) {
        int packetId = reader.readPacketId();
        int identifier = SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER;
        List<UserProperty> userProperties = List.of();
        if (version.hasProperties()) {
            reader.beginProperties();
            while (reader.hasProperty()) {
                switch (reader.nextProperty()) {
                    case Property.SUBSCRIPTION_IDENTIFIER -> {
                        if (identifier != SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER) {
                            throw protocolError("two subscription identifiers");
                        }
                        identifier = reader.readSubscriptionIdentifier();
                    }
                    case Property.USER_PROPERTY -> reader.readUserProperty();
                    default -> throw reader.misplacedProperty();
                }
            }
            userProperties = reader.userProperties();
        }
        List<SubscriptionRequest> requests = new ArrayList<>();
        while (reader.remaining() > 0) {
            requests.add(decodeRequest(reader, version));
        }
        if (requests.isEmpty()) {
            throw protocolError("SUBSCRIBE without a topic filter"); // [MQTT-3.8.3-2]
        }
        return new SubscribePacket(packetId, identifier, userProperties, requests);
    }

    private static SubscriptionRequest decodeRequest(PacketReader reader, MqttVersion version) {
        String topicFilter = reader.readTopicFilter();
        int options = reader.readByte();
        if ((options & (version.hasProperties() ? RESERVED_5 : RESERVED_3)) != 0) {
            throw malformed("reserved bits in the subscription options"); // [MQTT-3.8.3-5]
        }
        boolean noLocal = (options & NO_LOCAL) != 0;
        if (noLocal && topicFilter.startsWith(SHARE_PREFIX)) {
            throw protocolError("No Local on a shared subscription"); // [MQTT-3.8.3-4]
        }
        return new SubscriptionRequest(
                topicFilter,
                QoS.ofLevel(options & QOS),
                noLocal,
                (options & RETAIN_AS_PUBLISHED) != 0,
                RetainHandling.ofNumber(options >>> RETAIN_HANDLING_SHIFT));
    }
}

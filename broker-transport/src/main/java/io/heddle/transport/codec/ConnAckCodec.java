package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.netty.buffer.ByteBuf;

/** Encodes CONNACK (section 3.2). */
final class ConnAckCodec {
    private ConnAckCodec() {}

    static int remainingLength(ConnAckPacket packet, MqttVersion version, ReasonStrings reasonStrings) {
        return 2
                + (version.hasProperties()
                        ? PropertiesCodec.withLength(propertyBytes(packet.properties(), reasonStrings))
                        : 0);
    }

    private static int propertyBytes(ConnAckProperties properties, ReasonStrings reasonStrings) {
        return PropertiesCodec.sizeOfInt(properties.sessionExpirySeconds() != null)
                + PropertiesCodec.sizeOfShort(limitsReceiving(properties))
                + PropertiesCodec.sizeOfByte(limitsQos(properties))
                + PropertiesCodec.sizeOfByte(!properties.retainAvailable())
                + PropertiesCodec.sizeOfInt(limitsPacketSize(properties))
                + PropertiesCodec.sizeOf(properties.assignedClientId())
                + PropertiesCodec.sizeOfShort(properties.topicAliasMaximum() != 0)
                + PropertiesCodec.sizeOfByte(!properties.wildcardSubscriptionAvailable())
                + PropertiesCodec.sizeOfByte(!properties.subscriptionIdentifiersAvailable())
                + PropertiesCodec.sizeOfByte(!properties.sharedSubscriptionAvailable())
                + PropertiesCodec.sizeOfShort(properties.serverKeepAliveSeconds() != null)
                + PropertiesCodec.sizeOf(properties.responseInformation())
                + PropertiesCodec.sizeOf(properties.serverReference())
                + PropertiesCodec.sizeOf(properties.authenticationMethod())
                + PropertiesCodec.sizeOf(properties.authenticationData())
                + reasonStrings.sizeOf(properties.reasonString(), properties.userProperties());
    }

    private static boolean limitsReceiving(ConnAckProperties properties) {
        return properties.receiveMaximum() != MqttPacket.MAXIMUM_UNSIGNED_SHORT;
    }

    private static boolean limitsQos(ConnAckProperties properties) {
        return properties.maximumQos() != QoS.EXACTLY_ONCE;
    }

    private static boolean limitsPacketSize(ConnAckProperties properties) {
        return properties.maximumPacketSize() != MqttPacket.MAXIMUM_UNSIGNED_INT;
    }

    static void write(ConnAckPacket packet, MqttVersion version, ReasonStrings reasonStrings, ByteBuf out) {
        out.writeByte(packet.sessionPresent() && version != MqttVersion.V3_1 ? 1 : 0);
        if (!version.hasProperties()) {
            out.writeByte(ReturnCodes.ofConnAck(packet.reason()));
            return;
        }
        out.writeByte(packet.reason().code());
        ConnAckProperties properties = packet.properties();
        VariableByteInteger.write(propertyBytes(properties, reasonStrings), out);
        Long expiry = properties.sessionExpirySeconds();
        if (expiry != null) {
            PropertiesCodec.writeInt(Property.SESSION_EXPIRY_INTERVAL, true, expiry, out);
        }
        PropertiesCodec.writeShort(
                Property.RECEIVE_MAXIMUM, limitsReceiving(properties), properties.receiveMaximum(), out);
        PropertiesCodec.writeByte(
                Property.MAXIMUM_QOS,
                limitsQos(properties),
                properties.maximumQos().level(),
                out);
        PropertiesCodec.writeByte(Property.RETAIN_AVAILABLE, !properties.retainAvailable(), 0, out);
        PropertiesCodec.writeInt(
                Property.MAXIMUM_PACKET_SIZE, limitsPacketSize(properties), properties.maximumPacketSize(), out);
        PropertiesCodec.write(Property.ASSIGNED_CLIENT_IDENTIFIER, properties.assignedClientId(), out);
        int aliases = properties.topicAliasMaximum();
        PropertiesCodec.writeShort(Property.TOPIC_ALIAS_MAXIMUM, aliases != 0, aliases, out);
        writeAvailability(properties, out);
        Integer keepAlive = properties.serverKeepAliveSeconds();
        if (keepAlive != null) {
            PropertiesCodec.writeShort(Property.SERVER_KEEP_ALIVE, true, keepAlive, out);
        }
        PropertiesCodec.write(Property.RESPONSE_INFORMATION, properties.responseInformation(), out);
        PropertiesCodec.write(Property.SERVER_REFERENCE, properties.serverReference(), out);
        PropertiesCodec.write(Property.AUTHENTICATION_METHOD, properties.authenticationMethod(), out);
        PropertiesCodec.write(Property.AUTHENTICATION_DATA, properties.authenticationData(), out);
        reasonStrings.write(properties.reasonString(), properties.userProperties(), out);
    }

    private static void writeAvailability(ConnAckProperties properties, ByteBuf out) {
        PropertiesCodec.writeByte(
                Property.WILDCARD_SUBSCRIPTION_AVAILABLE, !properties.wildcardSubscriptionAvailable(), 0, out);
        PropertiesCodec.writeByte(
                Property.SUBSCRIPTION_IDENTIFIERS_AVAILABLE, !properties.subscriptionIdentifiersAvailable(), 0, out);
        PropertiesCodec.writeByte(
                Property.SHARED_SUBSCRIPTION_AVAILABLE, !properties.sharedSubscriptionAvailable(), 0, out);
    }
}

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.netty.buffer.ByteBuf;

/** Encodes and decodes CONNACK (section 3.2). */
final class ConnAckCodec {
    private ConnAckCodec() {}

    static ConnAckPacket decode(PacketReader reader, MqttVersion version) {
        int first = reader.readByte();
        // This byte is undefined in MQTT 3.1.
        int flags = version == MqttVersion.V3_1 ? 0 : first;
        if (flags > 1) {
            throw malformed("reserved bits in CONNACK's flags"); // [MQTT-3.2.2-1]
        }
        boolean sessionPresent = flags == 1;
        int code = reader.readByte();
        ReasonCode reason = version.hasProperties()
                ? ReasonCodes.require(code, ReasonCodes.CONNACK)
                : ReturnCodes.connAckReason(code);
        if (sessionPresent && reason != ReasonCode.SUCCESS) {
            throw protocolError("a session present in a refusal"); // [MQTT-3.2.2-6]
        }
        ConnAckProperties properties = version.hasProperties() ? decodeProperties(reader) : ConnAckProperties.NONE;
        return new ConnAckPacket(sessionPresent, reason, properties);
    }

    private static ConnAckProperties decodeProperties(PacketReader reader) {
        ConnAckProperties none = ConnAckProperties.NONE;
        Long sessionExpirySeconds = null;
        int receiveMaximum = none.receiveMaximum();
        QoS maximumQos = none.maximumQos();
        boolean retain = true;
        long maximumPacketSize = none.maximumPacketSize();
        String clientId = null;
        int topicAliasMaximum = none.topicAliasMaximum();
        String reasonString = null;
        boolean wildcards = true;
        boolean identifiers = true;
        boolean shared = true;
        Integer keepAlive = null;
        String responseInformation = null;
        String serverReference = null;
        String method = null;
        BinaryData data = null;
        reader.beginProperties();
        while (reader.hasProperty()) {
            switch (reader.nextProperty()) {
                case Property.SESSION_EXPIRY_INTERVAL -> sessionExpirySeconds = reader.readUnsignedInt();
                case Property.RECEIVE_MAXIMUM -> receiveMaximum = reader.readPositiveShort();
                case Property.MAXIMUM_QOS -> maximumQos = reader.readBoolean() ? QoS.AT_LEAST_ONCE : QoS.AT_MOST_ONCE;
                case Property.RETAIN_AVAILABLE -> retain = reader.readBoolean();
                case Property.MAXIMUM_PACKET_SIZE -> maximumPacketSize = reader.readPositiveInt();
                case Property.ASSIGNED_CLIENT_IDENTIFIER -> clientId = reader.readString();
                case Property.TOPIC_ALIAS_MAXIMUM -> topicAliasMaximum = reader.readUnsignedShort();
                case Property.REASON_STRING -> reasonString = reader.readString();
                case Property.USER_PROPERTY -> reader.readUserProperty();
                case Property.WILDCARD_SUBSCRIPTION_AVAILABLE -> wildcards = reader.readBoolean();
                case Property.SUBSCRIPTION_IDENTIFIERS_AVAILABLE -> identifiers = reader.readBoolean();
                case Property.SHARED_SUBSCRIPTION_AVAILABLE -> shared = reader.readBoolean();
                case Property.SERVER_KEEP_ALIVE -> keepAlive = reader.readUnsignedShort();
                case Property.RESPONSE_INFORMATION -> responseInformation = reader.readString();
                case Property.SERVER_REFERENCE -> serverReference = reader.readString();
                case Property.AUTHENTICATION_METHOD -> method = reader.readString();
                case Property.AUTHENTICATION_DATA -> data = reader.readBinary();
                default -> throw reader.misplacedProperty();
            }
        }
        return new ConnAckProperties(
                sessionExpirySeconds,
                receiveMaximum,
                maximumQos,
                retain,
                maximumPacketSize,
                clientId,
                topicAliasMaximum,
                reasonString,
                reader.userProperties(),
                wildcards,
                identifiers,
                shared,
                keepAlive,
                responseInformation,
                serverReference,
                method,
                data);
    }

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

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes CONNECT (section 3.1). The decoder reads protocol name and level first to determine the version. */
final class ConnectCodec {
    private static final int RESERVED = 0b0000_0001;
    private static final int CLEAN_START = 0b0000_0010;
    private static final int WILL = 0b0000_0100;
    private static final int WILL_QOS_SHIFT = 3;
    private static final int WILL_QOS = 0b0001_1000;
    private static final int WILL_RETAIN = 0b0010_0000;
    private static final int PASSWORD = 0b0100_0000;
    private static final int USER_NAME = 0b1000_0000;

    private ConnectCodec() {}

    static ConnectPacket decode(PacketReader reader, MqttVersion version) {
        int flags = reader.readByte();
        requireConsistent(flags, version);
        int keepAliveSeconds = reader.readUnsignedShort();
        ConnectProperties properties = version.hasProperties() ? decodeProperties(reader) : ConnectProperties.NONE;
        String clientId = reader.readString();
        WillMessage will = (flags & WILL) != 0 ? decodeWill(reader, flags, version) : null;
        String userName = isThere(USER_NAME, flags, reader, version) ? reader.readString() : null;
        BinaryData password = isThere(PASSWORD, flags, reader, version) ? reader.readBinary() : null;
        return new ConnectPacket(
                version, clientId, (flags & CLEAN_START) != 0, keepAliveSeconds, will, userName, password, properties);
    }

    private static void requireConsistent(int flags, MqttVersion version) {
        if ((flags & RESERVED) != 0 && version != MqttVersion.V3_1) {
            throw malformed("a reserved bit in CONNECT's flags"); // [MQTT-3.1.2-3]; undefined in MQTT 3.1
        }
        if ((flags & WILL) == 0 && (flags & (WILL_QOS | WILL_RETAIN)) != 0) {
            throw malformed("will flags without a will"); // [MQTT-3.1.2-11] [MQTT-3.1.2-13]
        }
        if (!version.hasProperties() && (flags & PASSWORD) != 0 && (flags & USER_NAME) == 0) {
            throw malformed("a password without a user name"); // [MQTT-3.1.2-22] of MQTT 3.1.1
        }
    }

    /** MQTT 3.1 allows user name and password to be absent at the end of the packet although their flags are set. */
    private static boolean isThere(int flag, int flags, PacketReader reader, MqttVersion version) {
        return (flags & flag) != 0 && !(version == MqttVersion.V3_1 && reader.remaining() == 0);
    }

    private static ConnectProperties decodeProperties(PacketReader reader) {
        ConnectProperties none = ConnectProperties.NONE;
        long sessionExpirySeconds = none.sessionExpirySeconds();
        int receiveMaximum = none.receiveMaximum();
        long maximumPacketSize = none.maximumPacketSize();
        int topicAliasMaximum = none.topicAliasMaximum();
        boolean requestResponseInformation = none.requestResponseInformation();
        boolean requestProblemInformation = none.requestProblemInformation();
        String method = null;
        BinaryData data = null;
        reader.beginProperties();
        while (reader.hasProperty()) {
            switch (reader.nextProperty()) {
                case Property.SESSION_EXPIRY_INTERVAL -> sessionExpirySeconds = reader.readUnsignedInt();
                case Property.RECEIVE_MAXIMUM -> receiveMaximum = reader.readPositiveShort();
                case Property.MAXIMUM_PACKET_SIZE -> maximumPacketSize = reader.readPositiveInt();
                case Property.TOPIC_ALIAS_MAXIMUM -> topicAliasMaximum = reader.readUnsignedShort();
                case Property.REQUEST_RESPONSE_INFORMATION -> requestResponseInformation = reader.readBoolean();
                case Property.REQUEST_PROBLEM_INFORMATION -> requestProblemInformation = reader.readBoolean();
                case Property.USER_PROPERTY -> reader.readUserProperty();
                case Property.AUTHENTICATION_METHOD -> method = reader.readString();
                case Property.AUTHENTICATION_DATA -> data = reader.readBinary();
                default -> throw reader.misplacedProperty();
            }
        }
        if (data != null && method == null) {
            throw protocolError("authentication data without a method"); // section 3.1.2.11.10
        }
        return new ConnectProperties(
                sessionExpirySeconds,
                receiveMaximum,
                maximumPacketSize,
                topicAliasMaximum,
                requestResponseInformation,
                requestProblemInformation,
                reader.userProperties(),
                method,
                data);
    }

    private static WillMessage decodeWill(PacketReader reader, int flags, MqttVersion version) {
        QoS qos = QoS.ofLevel((flags & WILL_QOS) >>> WILL_QOS_SHIFT); // [MQTT-3.1.2-12]
        long delaySeconds = 0;
        long expiry = PublishProperties.NO_EXPIRY;
        Boolean payloadIsUtf8 = null;
        String contentType = null;
        TopicName responseTopic = null;
        BinaryData correlationData = null;
        PublishProperties properties = PublishProperties.NONE;
        if (version.hasProperties()) {
            reader.beginProperties();
            while (reader.hasProperty()) {
                switch (reader.nextProperty()) {
                    case Property.WILL_DELAY_INTERVAL -> delaySeconds = reader.readUnsignedInt();
                    case Property.PAYLOAD_FORMAT_INDICATOR -> payloadIsUtf8 = reader.readBoolean();
                    case Property.MESSAGE_EXPIRY_INTERVAL -> expiry = reader.readUnsignedInt();
                    case Property.CONTENT_TYPE -> contentType = reader.readString();
                    case Property.RESPONSE_TOPIC -> responseTopic = reader.requireTopicName();
                    case Property.CORRELATION_DATA -> correlationData = reader.readBinary();
                    case Property.USER_PROPERTY -> reader.readUserProperty();
                    default -> throw reader.misplacedProperty();
                }
            }
            if (reader.hasAnyOtherThan(1L << Property.WILL_DELAY_INTERVAL)) {
                properties = new PublishProperties(
                        expiry, payloadIsUtf8, contentType, responseTopic, correlationData, reader.userProperties());
            }
        }
        TopicName topic = reader.requireTopicName();
        BinaryData payload = reader.readBinary();
        return new WillMessage(topic, payload, qos, (flags & WILL_RETAIN) != 0, delaySeconds, properties);
    }

    static int remainingLength(ConnectPacket packet) {
        boolean hasProperties = packet.version().hasProperties();
        int size = PacketWriter.sizeOf(packet.version().protocolName()) + 1 + 1 + Short.BYTES;
        if (hasProperties) {
            size += PropertiesCodec.withLength(propertyBytes(packet.properties()));
        }
        size += PacketWriter.sizeOf(packet.clientId());
        WillMessage will = packet.will();
        if (will != null) {
            size += hasProperties ? PropertiesCodec.withLength(willPropertyBytes(will)) : 0;
            size += PacketWriter.sizeOf(will.topic().value()) + PacketWriter.sizeOf(will.payload());
        }
        String userName = packet.userName();
        BinaryData password = packet.password();
        return size
                + (userName == null ? 0 : PacketWriter.sizeOf(userName))
                + (password == null ? 0 : PacketWriter.sizeOf(password));
    }

    private static int propertyBytes(ConnectProperties properties) {
        return PropertiesCodec.sizeOfInt(properties.sessionExpirySeconds() != 0)
                + PropertiesCodec.sizeOfShort(properties.receiveMaximum() != MqttPacket.MAXIMUM_UNSIGNED_SHORT)
                + PropertiesCodec.sizeOfInt(properties.maximumPacketSize() != MqttPacket.MAXIMUM_UNSIGNED_INT)
                + PropertiesCodec.sizeOfShort(properties.topicAliasMaximum() != 0)
                + PropertiesCodec.sizeOfByte(properties.requestResponseInformation())
                + PropertiesCodec.sizeOfByte(!properties.requestProblemInformation())
                + PropertiesCodec.sizeOf(properties.userProperties())
                + PropertiesCodec.sizeOf(properties.authenticationMethod())
                + PropertiesCodec.sizeOf(properties.authenticationData());
    }

    private static int willPropertyBytes(WillMessage will) {
        return PropertiesCodec.sizeOfInt(will.delaySeconds() != 0) + PropertiesCodec.sizeOf(will.properties());
    }

    static void write(ConnectPacket packet, ByteBuf out) {
        MqttVersion version = packet.version();
        PacketWriter.write(version.protocolName(), out);
        out.writeByte(version.protocolLevel());
        out.writeByte(flags(packet));
        out.writeShort(packet.keepAliveSeconds());
        if (version.hasProperties()) {
            writeProperties(packet.properties(), out);
        }
        PacketWriter.write(packet.clientId(), out);
        writeWill(packet.will(), version, out);
        String userName = packet.userName();
        if (userName != null) {
            PacketWriter.write(userName, out);
        }
        BinaryData password = packet.password();
        if (password != null) {
            PacketWriter.write(password, out);
        }
    }

    private static int flags(ConnectPacket packet) {
        WillMessage will = packet.will();
        return (packet.cleanStart() ? CLEAN_START : 0)
                | (will == null ? 0 : WILL | (will.qos().level() << WILL_QOS_SHIFT) | (will.retain() ? WILL_RETAIN : 0))
                | (packet.password() == null ? 0 : PASSWORD)
                | (packet.userName() == null ? 0 : USER_NAME);
    }

    private static void writeProperties(ConnectProperties properties, ByteBuf out) {
        VariableByteInteger.write(propertyBytes(properties), out);
        long expiry = properties.sessionExpirySeconds();
        PropertiesCodec.writeInt(Property.SESSION_EXPIRY_INTERVAL, expiry != 0, expiry, out);
        int receiveMaximum = properties.receiveMaximum();
        PropertiesCodec.writeShort(
                Property.RECEIVE_MAXIMUM, receiveMaximum != MqttPacket.MAXIMUM_UNSIGNED_SHORT, receiveMaximum, out);
        long maximumPacketSize = properties.maximumPacketSize();
        PropertiesCodec.writeInt(
                Property.MAXIMUM_PACKET_SIZE,
                maximumPacketSize != MqttPacket.MAXIMUM_UNSIGNED_INT,
                maximumPacketSize,
                out);
        int aliases = properties.topicAliasMaximum();
        PropertiesCodec.writeShort(Property.TOPIC_ALIAS_MAXIMUM, aliases != 0, aliases, out);
        PropertiesCodec.writeByte(
                Property.REQUEST_RESPONSE_INFORMATION, properties.requestResponseInformation(), 1, out);
        PropertiesCodec.writeByte(
                Property.REQUEST_PROBLEM_INFORMATION, !properties.requestProblemInformation(), 0, out);
        PropertiesCodec.write(properties.userProperties(), out);
        PropertiesCodec.write(Property.AUTHENTICATION_METHOD, properties.authenticationMethod(), out);
        PropertiesCodec.write(Property.AUTHENTICATION_DATA, properties.authenticationData(), out);
    }

    private static void writeWill(@Nullable WillMessage will, MqttVersion version, ByteBuf out) {
        if (will == null) {
            return;
        }
        if (version.hasProperties()) {
            VariableByteInteger.write(willPropertyBytes(will), out);
            PropertiesCodec.writeInt(Property.WILL_DELAY_INTERVAL, will.delaySeconds() != 0, will.delaySeconds(), out);
            PropertiesCodec.write(will.properties(), out);
        }
        PacketWriter.write(will.topic().value(), out);
        PacketWriter.write(will.payload(), out);
    }
}

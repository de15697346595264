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
import io.heddle.core.mqtt.packet.WillMessage;

/** Decodes CONNECT (section 3.1). {@link MqttDecoder} reads protocol name and level first to determine the version. */
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
}

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.HotPath;
import io.heddle.core.client.LogValue;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes PUBLISH (section 3.3) without intermediate objects. */
@HotPath
final class PublishCodec {
    private static final int DUP = 0b1000;
    private static final int RETAIN = 0b0001;

    private PublishCodec() {}

    /** Returns the topic name of a PUBLISH that is too large, for people, as far as it has arrived. */
    static String topicOf(ByteBuf in, int topicStart) {
        int arrived = in.writerIndex() - topicStart - 2;
        int bytes = arrived < 0 ? 0 : Math.min(in.getUnsignedShort(topicStart), arrived);
        return bytes == 0 ? "" : ", topic=" + LogValue.of(in.toString(topicStart + 2, bytes, StandardCharsets.UTF_8));
    }

    static PublishPacket decode(PacketReader reader, int flags, MqttVersion version) {
        QoS qos = QoS.ofLevel((flags >>> 1) & 0b11);
        boolean duplicate = (flags & DUP) != 0;
        if (duplicate && qos == QoS.AT_MOST_ONCE) {
            throw malformed("DUP is set at QoS 0"); // [MQTT-3.3.1-2]
        }
        TopicName topic = version.hasProperties() ? reader.readTopicName() : reader.requireTopicName();
        int packetId = qos == QoS.AT_MOST_ONCE ? PublishPacket.NO_PACKET_ID : reader.readPacketId();
        boolean retain = (flags & RETAIN) != 0;
        if (version.hasProperties()) {
            reader.beginProperties();
            if (reader.hasProperty()) {
                return decodeWithProperties(reader, topic, qos, retain, duplicate, packetId);
            }
            requireTopicOrAlias(topic, PublishPacket.NO_TOPIC_ALIAS);
        }
        return new PublishPacket(
                topic,
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                retain,
                duplicate,
                packetId,
                PublishProperties.NONE,
                List.of(),
                reader.readRemaining());
    }

    private static PublishPacket decodeWithProperties(
            PacketReader reader, @Nullable TopicName topic, QoS qos, boolean retain, boolean duplicate, int packetId) {
        long expiry = PublishProperties.NO_EXPIRY;
        Boolean payloadIsUtf8 = null;
        String contentType = null;
        TopicName responseTopic = null;
        BinaryData correlationData = null;
        int topicAlias = PublishPacket.NO_TOPIC_ALIAS;
        do {
            switch (reader.nextProperty()) {
                case Property.PAYLOAD_FORMAT_INDICATOR -> payloadIsUtf8 = reader.readBoolean();
                case Property.MESSAGE_EXPIRY_INTERVAL -> expiry = reader.readUnsignedInt();
                case Property.CONTENT_TYPE -> contentType = reader.readString();
                case Property.RESPONSE_TOPIC -> responseTopic = reader.requireTopicName();
                case Property.CORRELATION_DATA -> correlationData = reader.readBinary();
                case Property.TOPIC_ALIAS -> topicAlias = readTopicAlias(reader);
                case Property.SUBSCRIPTION_IDENTIFIER ->
                    throw protocolError("a subscription identifier in a client's PUBLISH"); // [MQTT-3.3.4-6]
                case Property.USER_PROPERTY -> reader.readUserProperty();
                default -> throw reader.misplacedProperty();
            }
        } while (reader.hasProperty());
        requireTopicOrAlias(topic, topicAlias);
        PublishProperties properties = reader.hasAnyOtherThan(1L << Property.TOPIC_ALIAS)
                ? new PublishProperties(
                        expiry, payloadIsUtf8, contentType, responseTopic, correlationData, reader.userProperties())
                : PublishProperties.NONE;
        return new PublishPacket(
                topic, topicAlias, qos, retain, duplicate, packetId, properties, List.of(), reader.readRemaining());
    }

    private static int readTopicAlias(PacketReader reader) {
        int alias = reader.readUnsignedShort();
        if (alias == 0) {
            throw new ProtocolException(ReasonCode.TOPIC_ALIAS_INVALID, "topic alias 0"); // [MQTT-3.3.2-8]
        }
        return alias;
    }

    private static void requireTopicOrAlias(@Nullable TopicName topic, int topicAlias) {
        if (topic == null && topicAlias == PublishPacket.NO_TOPIC_ALIAS) {
            throw protocolError("PUBLISH has neither topic name nor topic alias");
        }
    }

    static int remainingLength(PublishPacket packet, MqttVersion version) {
        TopicName topic = packet.topic();
        return (topic == null ? Short.BYTES : PacketWriter.sizeOf(topic.value()))
                + (packet.qos() == QoS.AT_MOST_ONCE ? 0 : Short.BYTES)
                + (version.hasProperties() ? PropertiesCodec.withLength(propertyBytes(packet)) : 0)
                + packet.payload().length();
    }

    private static int propertyBytes(PublishPacket packet) {
        int size = PropertiesCodec.sizeOf(packet.properties())
                + PropertiesCodec.sizeOfShort(packet.topicAlias() != PublishPacket.NO_TOPIC_ALIAS);
        List<Integer> identifiers = packet.subscriptionIdentifiers();
        for (int i = 0; i < identifiers.size(); i++) {
            size += 1 + VariableByteInteger.size(identifiers.get(i));
        }
        return size;
    }

    static int firstByte(PublishPacket packet) {
        return (PacketType.PUBLISH.number() << 4)
                | (packet.duplicate() ? DUP : 0)
                | (packet.qos().level() << 1)
                | (packet.retain() ? RETAIN : 0);
    }

    /** Returns the offset of the packet identifier in an encoded packet above QoS 0, counted from the packet's first byte. */
    static int packetIdOffset(ByteBuf encoded, int start) {
        int header = 2;
        while (encoded.getByte(start + header - 1) < 0) {
            header++;
        }
        return header + Short.BYTES + encoded.getUnsignedShort(start + header);
    }

    static void write(PublishPacket packet, MqttVersion version, ByteBuf out) {
        writeWithoutPayload(packet, version, out);
        out.writeBytes(packet.payload().array());
    }

    static void writeWithoutPayload(PublishPacket packet, MqttVersion version, ByteBuf out) {
        TopicName topic = packet.topic();
        PacketWriter.write(topic == null ? "" : topic.value(), out);
        if (packet.qos() != QoS.AT_MOST_ONCE) {
            out.writeShort(packet.packetId());
        }
        if (version.hasProperties()) {
            VariableByteInteger.write(propertyBytes(packet), out);
            PropertiesCodec.write(packet.properties(), out);
            int alias = packet.topicAlias();
            PropertiesCodec.writeShort(Property.TOPIC_ALIAS, alias != PublishPacket.NO_TOPIC_ALIAS, alias, out);
            List<Integer> identifiers = packet.subscriptionIdentifiers();
            for (int i = 0; i < identifiers.size(); i++) {
                out.writeByte(Property.SUBSCRIPTION_IDENTIFIER);
                VariableByteInteger.write(identifiers.get(i), out);
            }
        }
    }
}

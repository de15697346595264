package io.heddle.transport.codec;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** Encodes the packets that only clients send, which the broker only decodes; {@link MqttEncoder} encodes all others. */
final class ClientPackets {
    private static final int CLEAN_START = 0b0000_0010;
    private static final int WILL = 0b0000_0100;
    private static final int WILL_QOS_SHIFT = 3;
    private static final int WILL_RETAIN = 0b0010_0000;
    private static final int PASSWORD = 0b0100_0000;
    private static final int USER_NAME = 0b1000_0000;
    private static final int NO_LOCAL = 0b100;
    private static final int RETAIN_AS_PUBLISHED = 0b1000;
    private static final int RETAIN_HANDLING_SHIFT = 4;

    private ClientPackets() {}

    static boolean areSentBy(MqttPacket packet) {
        return packet instanceof ConnectPacket
                || packet instanceof SubscribePacket
                || packet instanceof UnsubscribePacket
                || packet instanceof PingReqPacket;
    }

    /** Returns the bytes of any packet, whoever sends it. */
    static byte[] encode(MqttPacket packet, MqttVersion version) {
        ByteBuf out = Unpooled.buffer();
        switch (packet) {
            case ConnectPacket p -> {
                begin(packet, remainingLength(p), out);
                write(p, out);
            }
            case SubscribePacket p -> {
                begin(packet, remainingLength(p, version), out);
                write(p, version, out);
            }
            case UnsubscribePacket p -> {
                begin(packet, remainingLength(p, version), out);
                write(p, version, out);
            }
            case PingReqPacket p -> begin(p, 0, out);
            default -> new MqttEncoder(version, ConnectProperties.NONE).encode(packet, out);
        }
        return ByteBufUtil.getBytes(out);
    }

    private static void begin(MqttPacket packet, int remainingLength, ByteBuf out) {
        out.writeByte(PacketType.of(packet).firstByte());
        VariableByteInteger.write(remainingLength, out);
    }

    private static int remainingLength(ConnectPacket packet) {
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

    private static void write(ConnectPacket packet, ByteBuf out) {
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

    private static int remainingLength(SubscribePacket packet, MqttVersion version) {
        int size = Short.BYTES;
        if (version.hasProperties()) {
            size += PropertiesCodec.withLength(propertyBytes(packet));
        }
        for (SubscriptionRequest request : packet.requests()) {
            size += PacketWriter.sizeOf(request.topicFilter()) + 1;
        }
        return size;
    }

    private static int propertyBytes(SubscribePacket packet) {
        int identifier = packet.subscriptionIdentifier();
        return PropertiesCodec.sizeOf(packet.userProperties())
                + (identifier == SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER
                        ? 0
                        : 1 + VariableByteInteger.size(identifier));
    }

    private static void write(SubscribePacket packet, MqttVersion version, ByteBuf out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            VariableByteInteger.write(propertyBytes(packet), out);
            if (packet.subscriptionIdentifier() != SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER) {
                out.writeByte(Property.SUBSCRIPTION_IDENTIFIER);
                VariableByteInteger.write(packet.subscriptionIdentifier(), out);
            }
            PropertiesCodec.write(packet.userProperties(), out);
        }
        for (SubscriptionRequest request : packet.requests()) {
            PacketWriter.write(request.topicFilter(), out);
            out.writeByte(options(request, version));
        }
    }

    private static int options(SubscriptionRequest request, MqttVersion version) {
        int qos = request.maximumQos().level();
        if (!version.hasProperties()) {
            return qos;
        }
        return qos
                | (request.noLocal() ? NO_LOCAL : 0)
                | (request.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0)
                | (request.retainHandling().number() << RETAIN_HANDLING_SHIFT);
    }

    private static int remainingLength(UnsubscribePacket packet, MqttVersion version) {
        int size = Short.BYTES;
        if (version.hasProperties()) {
            size += PropertiesCodec.withLength(PropertiesCodec.sizeOf(packet.userProperties()));
        }
        for (String topicFilter : packet.topicFilters()) {
            size += PacketWriter.sizeOf(topicFilter);
        }
        return size;
    }

    private static void write(UnsubscribePacket packet, MqttVersion version, ByteBuf out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            VariableByteInteger.write(PropertiesCodec.sizeOf(packet.userProperties()), out);
            PropertiesCodec.write(packet.userProperties(), out);
        }
        for (String topicFilter : packet.topicFilters()) {
            PacketWriter.write(topicFilter, out);
        }
    }
}

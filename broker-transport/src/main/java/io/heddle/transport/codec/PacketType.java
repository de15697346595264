package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fifteen control packet types with their numbers, fixed header flags, and whether clients send them (section 2.1). */
public enum PacketType {
    CONNECT(1, 0, true),
    CONNACK(2, 0, false),
    PUBLISH(3, PacketType.ANY_FLAGS, true),
    PUBACK(4, 0, true),
    PUBREC(5, 0, true),
    PUBREL(6, 0b0010, true),
    PUBCOMP(7, 0, true),
    SUBSCRIBE(8, 0b0010, true),
    SUBACK(9, 0, false),
    UNSUBSCRIBE(10, 0b0010, true),
    UNSUBACK(11, 0, false),
    PINGREQ(12, 0, true),
    PINGRESP(13, 0, false),
    DISCONNECT(14, 0, true),
    AUTH(15, 0, true);

    /** The highest number; the lowest is 1. */
    public static final int HIGHEST_NUMBER = 15;

    private static final int ANY_FLAGS = -1;
    private static final PacketType[] BY_NUMBER = values();

    private final int number;
    private final int flags;
    private final boolean fromClient;
    private final String tag;

    PacketType(int number, int flags, boolean fromClient) {
        this.number = number;
        this.flags = flags;
        this.fromClient = fromClient;
        this.tag = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the lower-case name, for metric tags. */
    public String tag() {
        return tag;
    }

    public static PacketType of(MqttPacket packet) {
        return switch (packet) {
            case PublishPacket p -> PUBLISH;
            case PubAckPacket p -> PUBACK;
            case PubRecPacket p -> PUBREC;
            case PubRelPacket p -> PUBREL;
            case PubCompPacket p -> PUBCOMP;
            case PingReqPacket p -> PINGREQ;
            case PingRespPacket p -> PINGRESP;
            case SubscribePacket p -> SUBSCRIBE;
            case SubAckPacket p -> SUBACK;
            case UnsubscribePacket p -> UNSUBSCRIBE;
            case UnsubAckPacket p -> UNSUBACK;
            case ConnectPacket p -> CONNECT;
            case ConnAckPacket p -> CONNACK;
            case DisconnectPacket p -> DISCONNECT;
            case AuthPacket p -> AUTH;
        };
    }

    /** Returns the number in the upper four bits of a packet's first byte, at most {@link #HIGHEST_NUMBER}. */
    public int number() {
        return number;
    }

    /** Returns the first byte of a packet with fixed flags. */
    int firstByte() {
        return (number << 4) | flags;
    }

    /**
     * Returns the type in the first byte of a client's packet. MQTT 3.1 leaves unused flags undefined and sets DUP in repeated PUBREL,
     * SUBSCRIBE and UNSUBSCRIBE, so its flags are ignored except in PUBLISH. The flags of CONNECT, which defines the version, are
     * checked elsewhere.
     *
     * @param version null before CONNECT
     * @throws ProtocolException if the type is reserved, its flags are invalid [MQTT-2.1.3-1], or clients may not send it
     */
    static PacketType ofFirstByte(int firstByte, @Nullable MqttVersion version) {
        int number = firstByte >>> 4;
        if (number == 0) {
            throw new ProtocolException(ReasonCode.MALFORMED_PACKET, "packet type 0 is reserved");
        }
        PacketType type = BY_NUMBER[number - 1];
        boolean free = type.flags == ANY_FLAGS
                || version == MqttVersion.V3_1
                || (version == null && type == PacketType.CONNECT);
        if (!free && type.flags != (firstByte & 0x0F)) {
            throw new ProtocolException(ReasonCode.MALFORMED_PACKET, "reserved flags in the fixed header");
        }
        if (!type.fromClient) {
            throw new ProtocolException(ReasonCode.PROTOCOL_ERROR, "a packet type that only the other side sends");
        }
        return type;
    }
}

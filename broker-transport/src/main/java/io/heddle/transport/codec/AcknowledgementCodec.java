package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes PUBACK, PUBREC, PUBREL and PUBCOMP (sections 3.4 to 3.7), which have the same format. */
@HotPath
final class AcknowledgementCodec {
    private AcknowledgementCodec() {}

    static MqttPacket decode(PacketReader reader, PacketType type, MqttVersion version) {
        int packetId = reader.readPacketId();
        ReasonCode reason = ReasonCode.SUCCESS;
        String reasonString = null;
        List<UserProperty> userProperties = List.of();
        if (version.hasProperties() && reader.remaining() > 0) {
            boolean received = type == PacketType.PUBACK || type == PacketType.PUBREC;
            reason = ReasonCodes.require(reader.readByte(), received ? ReasonCodes.RECEIVED : ReasonCodes.RELEASED);
            if (reader.remaining() > 0) {
                reader.beginProperties();
                while (reader.hasProperty()) {
                    switch (reader.nextProperty()) {
                        case Property.REASON_STRING -> reasonString = reader.readString();
                        case Property.USER_PROPERTY -> reader.readUserProperty();
                        default -> throw reader.misplacedProperty();
                    }
                }
                userProperties = reader.userProperties();
            }
        }
        return switch (type) {
            case PUBACK -> new PubAckPacket(packetId, reason, reasonString, userProperties);
            case PUBREC -> new PubRecPacket(packetId, reason, reasonString, userProperties);
            case PUBREL -> new PubRelPacket(packetId, reason, reasonString, userProperties);
            case PUBCOMP -> new PubCompPacket(packetId, reason, reasonString, userProperties);
            default -> throw new IllegalArgumentException(type + " is not an acknowledgement");
        };
    }

    static int remainingLength(
            MqttVersion version,
            ReasonCode reason,
            @Nullable String reasonString,
            List<UserProperty> userProperties,
            ReasonStrings reasonStrings) {
        if (!version.hasProperties()) {
            return Short.BYTES;
        }
        int properties = reasonStrings.sizeOf(reasonString, userProperties);
        if (properties == 0) {
            return reason == ReasonCode.SUCCESS ? Short.BYTES : Short.BYTES + 1;
        }
        return Short.BYTES + 1 + PropertiesCodec.withLength(properties);
    }

    static void write(
            int packetId,
            ReasonCode reason,
            @Nullable String reasonString,
            List<UserProperty> userProperties,
            int remainingLength,
            ReasonStrings reasonStrings,
            ByteBuf out) {
        out.writeShort(packetId);
        if (remainingLength > Short.BYTES) {
            out.writeByte(reason.code());
        }
        if (remainingLength > Short.BYTES + 1) {
            VariableByteInteger.write(reasonStrings.sizeOf(reasonString, userProperties), out);
            reasonStrings.write(reasonString, userProperties, out);
        }
    }
}

package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes SUBACK and UNSUBACK (sections 3.9 and 3.11). */
final class SubscriptionAnswerCodec {
    private SubscriptionAnswerCodec() {}

    static MqttPacket decode(PacketReader reader, PacketType type, MqttVersion version) {
        boolean subAck = type == PacketType.SUBACK;
        int packetId = reader.readPacketId();
        String reasonString = null;
        List<UserProperty> userProperties = List.of();
        if (version.hasProperties()) {
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
        List<ReasonCode> reasons = new ArrayList<>();
        if (subAck || version.hasProperties()) {
            Set<ReasonCode> allowed =
                    version.hasProperties() ? subAck ? ReasonCodes.SUBACK : ReasonCodes.UNSUBACK : ReasonCodes.SUBACK_3;
            while (reader.remaining() > 0) {
                reasons.add(ReasonCodes.require(reader.readByte(), allowed));
            }
            if (reasons.isEmpty()) {
                throw protocolError("SUBACK or UNSUBACK without a reason code");
            }
        }
        return subAck
                ? new SubAckPacket(packetId, reasonString, userProperties, reasons)
                : new UnsubAckPacket(packetId, reasonString, userProperties, reasons);
    }

    static int remainingLength(SubAckPacket packet, MqttVersion version, ReasonStrings reasonStrings) {
        return Short.BYTES
                + propertiesLength(packet.reasonString(), packet.userProperties(), version, reasonStrings)
                + packet.reasons().size();
    }

    static int remainingLength(UnsubAckPacket packet, MqttVersion version, ReasonStrings reasonStrings) {
        return Short.BYTES
                + propertiesLength(packet.reasonString(), packet.userProperties(), version, reasonStrings)
                + (version.hasProperties() ? packet.reasons().size() : 0);
    }

    private static int propertiesLength(
            @Nullable String reasonString,
            List<UserProperty> userProperties,
            MqttVersion version,
            ReasonStrings reasonStrings) {
        return version.hasProperties()
                ? PropertiesCodec.withLength(reasonStrings.sizeOf(reasonString, userProperties))
                : 0;
    }

    static void write(SubAckPacket packet, MqttVersion version, ReasonStrings reasonStrings, ByteBuf out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            VariableByteInteger.write(reasonStrings.sizeOf(packet.reasonString(), packet.userProperties()), out);
            reasonStrings.write(packet.reasonString(), packet.userProperties(), out);
        }
        for (ReasonCode reason : packet.reasons()) {
            out.writeByte(version.hasProperties() ? reason.code() : ReturnCodes.ofSubAck(reason));
        }
    }

    static void write(UnsubAckPacket packet, MqttVersion version, ReasonStrings reasonStrings, ByteBuf out) {
        out.writeShort(packet.packetId());
        if (version.hasProperties()) {
            VariableByteInteger.write(reasonStrings.sizeOf(packet.reasonString(), packet.userProperties()), out);
            reasonStrings.write(packet.reasonString(), packet.userProperties(), out);
            for (ReasonCode reason : packet.reasons()) {
                out.writeByte(reason.code());
            }
        }
    }
}

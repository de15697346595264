package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes SUBACK and UNSUBACK (sections 3.9 and 3.11). */
final class SubscriptionAnswerCodec {
    private SubscriptionAnswerCodec() {}

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

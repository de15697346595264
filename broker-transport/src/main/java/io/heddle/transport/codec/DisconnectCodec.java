package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Encodes and decodes DISCONNECT (section 3.14). */
final class DisconnectCodec {
    private static final DisconnectPacket NORMAL = DisconnectPacket.of(ReasonCode.SUCCESS, null);

    private DisconnectCodec() {}

    static DisconnectPacket decode(PacketReader reader, MqttVersion version) {
        if (!version.hasProperties() || reader.remaining() == 0) {
            return NORMAL;
        }
        ReasonCode reason = ReasonCodes.require(reader.readByte(), ReasonCodes.CLIENT_DISCONNECT);
        Long sessionExpirySeconds = null;
        String reasonString = null;
        List<UserProperty> userProperties = List.of();
        if (reader.remaining() > 0) {
            reader.beginProperties();
            while (reader.hasProperty()) {
                switch (reader.nextProperty()) {
                    case Property.SESSION_EXPIRY_INTERVAL -> sessionExpirySeconds = reader.readUnsignedInt();
                    case Property.SERVER_REFERENCE ->
                        throw protocolError("a server reference in a client's DISCONNECT");
                    case Property.REASON_STRING -> reasonString = reader.readString();
                    case Property.USER_PROPERTY -> reader.readUserProperty();
                    default -> throw reader.misplacedProperty();
                }
            }
            userProperties = reader.userProperties();
        }
        return new DisconnectPacket(reason, sessionExpirySeconds, reasonString, userProperties, null);
    }

    static int remainingLength(DisconnectPacket packet, MqttVersion version, ReasonStrings reasonStrings) {
        if (!version.hasProperties()) {
            return 0;
        }
        int properties = propertyBytes(packet, reasonStrings);
        if (properties == 0) {
            return packet.reason() == ReasonCode.SUCCESS ? 0 : 1;
        }
        return 1 + PropertiesCodec.withLength(properties);
    }

    private static int propertyBytes(DisconnectPacket packet, ReasonStrings reasonStrings) {
        return PropertiesCodec.sizeOfInt(packet.sessionExpirySeconds() != null)
                + PropertiesCodec.sizeOf(packet.serverReference())
                + reasonStrings.sizeOf(packet.reasonString(), packet.userProperties());
    }

    static void write(DisconnectPacket packet, int remainingLength, ReasonStrings reasonStrings, ByteBuf out) {
        if (remainingLength > 0) {
            out.writeByte(packet.reason().code());
        }
        if (remainingLength > 1) {
            VariableByteInteger.write(propertyBytes(packet, reasonStrings), out);
            Long expiry = packet.sessionExpirySeconds();
            if (expiry != null) {
                PropertiesCodec.writeInt(Property.SESSION_EXPIRY_INTERVAL, true, expiry, out);
            }
            PropertiesCodec.write(Property.SERVER_REFERENCE, packet.serverReference(), out);
            reasonStrings.write(packet.reasonString(), packet.userProperties(), out);
        }
    }
}

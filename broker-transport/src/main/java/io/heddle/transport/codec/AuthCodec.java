package io.heddle.transport.codec;

import static io.heddle.transport.codec.PacketReader.malformed;
import static io.heddle.transport.codec.PacketReader.protocolError;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Encodes and decodes AUTH (section 3.15), which exists since MQTT 5.0. */
final class AuthCodec {
    private AuthCodec() {}

    static AuthPacket decode(PacketReader reader, MqttVersion version) {
        if (!version.hasProperties()) {
            throw malformed("packet type 15 is reserved before MQTT 5.0");
        }
        if (reader.remaining() == 0) {
            return new AuthPacket(ReasonCode.SUCCESS, null, null, null, List.of());
        }
        ReasonCode reason = ReasonCodes.require(reader.readByte(), ReasonCodes.AUTH);
        String method = null;
        BinaryData data = null;
        String reasonString = null;
        reader.beginProperties();
        while (reader.hasProperty()) {
            switch (reader.nextProperty()) {
                case Property.AUTHENTICATION_METHOD -> method = reader.readString();
                case Property.AUTHENTICATION_DATA -> data = reader.readBinary();
                case Property.REASON_STRING -> reasonString = reader.readString();
                case Property.USER_PROPERTY -> reader.readUserProperty();
                default -> throw reader.misplacedProperty();
            }
        }
        if (method == null) {
            throw protocolError("AUTH without an authentication method"); // section 3.15.2.2.2
        }
        return new AuthPacket(reason, method, data, reasonString, reader.userProperties());
    }

    static int remainingLength(AuthPacket packet, ReasonStrings reasonStrings) {
        int properties = propertyBytes(packet, reasonStrings);
        return properties == 0 && packet.reason() == ReasonCode.SUCCESS
                ? 0
                : 1 + PropertiesCodec.withLength(properties);
    }

    private static int propertyBytes(AuthPacket packet, ReasonStrings reasonStrings) {
        return PropertiesCodec.sizeOf(packet.authenticationMethod())
                + PropertiesCodec.sizeOf(packet.authenticationData())
                + reasonStrings.sizeOf(packet.reasonString(), packet.userProperties());
    }

    static void write(AuthPacket packet, int remainingLength, ReasonStrings reasonStrings, ByteBuf out) {
        if (remainingLength == 0) {
            return;
        }
        out.writeByte(packet.reason().code());
        VariableByteInteger.write(propertyBytes(packet, reasonStrings), out);
        PropertiesCodec.write(Property.AUTHENTICATION_METHOD, packet.authenticationMethod(), out);
        PropertiesCodec.write(Property.AUTHENTICATION_DATA, packet.authenticationData(), out);
        reasonStrings.write(packet.reasonString(), packet.userProperties(), out);
    }
}

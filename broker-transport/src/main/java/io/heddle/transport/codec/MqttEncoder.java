package io.heddle.transport.codec;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
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
import io.netty.buffer.ByteBuf;

/**
 * Encodes packets for one client, according to its version, Maximum Packet Size and Request Problem Information. Immutable.
 * Supports every packet type that a server sends.
 */
@HotPath
public final class MqttEncoder {
    /** The packet is above the peer's Maximum Packet Size and was not written [MQTT-3.1.2-24]. */
    public static final int TOO_LARGE = -1;

    private final MqttVersion version;
    private final long maximumPacketBytes;
    private final boolean problemInformation;

    /** Creates an encoder for the peer that sent these properties in CONNECT; {@link ConnectProperties#NONE} sets no limits. */
    public MqttEncoder(MqttVersion version, ConnectProperties properties) {
        this.version = version;
        this.maximumPacketBytes = properties.maximumPacketSize();
        this.problemInformation = properties.requestProblemInformation();
    }

    public MqttVersion version() {
        return version;
    }

    long maximumPacketBytes() {
        return maximumPacketBytes;
    }

    /** Returns whether a CONNACK of this peer's version can express a reason. */
    public boolean canRefuseWith(ReasonCode reason) {
        return version.hasProperties() || ReturnCodes.answersConnect(reason);
    }

    /** Returns the reason if a CONNACK may carry it, otherwise the nearest one. */
    public static ReasonCode connAckReason(ReasonCode reason) {
        if (reason == ReasonCode.SERVER_SHUTTING_DOWN) {
            return ReasonCode.SERVER_UNAVAILABLE;
        }
        return ReasonCodes.CONNACK.contains(reason) ? reason : ReasonCode.PROTOCOL_ERROR;
    }

    /** Returns the reason if a server's DISCONNECT may carry it, otherwise {@link ReasonCode#PROTOCOL_ERROR}. */
    public static ReasonCode disconnectReason(ReasonCode reason) {
        return ReasonCodes.SERVER_DISCONNECT.contains(reason) ? reason : ReasonCode.PROTOCOL_ERROR;
    }

    /**
     * Appends a packet to a buffer, which grows by exactly the packet's size if necessary.
     *
     * @return the bytes written, or {@link #TOO_LARGE}, which leaves the buffer unchanged
     * @throws IllegalArgumentException if a text or binary field has more than 65,535 bytes, or if only clients send such packets
     */
    public int encode(MqttPacket packet, ByteBuf out) {
        ReasonStrings reasonStrings = mayCarryReasonStrings(packet) ? ReasonStrings.ALL : ReasonStrings.NONE;
        int remainingLength = remainingLength(packet, reasonStrings);
        while (isTooLarge(remainingLength)) {
            ReasonStrings fewer = reasonStrings.fewer();
            if (fewer == null) {
                return TOO_LARGE;
            }
            reasonStrings = fewer;
            remainingLength = remainingLength(packet, reasonStrings);
        }
        int size = PropertiesCodec.withLength(remainingLength) + 1;
        out.ensureWritable(size);
        out.writeByte(
                packet instanceof PublishPacket publish
                        ? PublishCodec.firstByte(publish)
                        : PacketType.of(packet).firstByte());
        VariableByteInteger.write(remainingLength, out);
        write(packet, remainingLength, reasonStrings, out);
        return size;
    }

    /**
     * Appends a PUBLISH without its payload, which the caller sends next.
     *
     * @return the bytes of the whole packet, or {@link #TOO_LARGE}, which leaves the buffer unchanged
     */
    public int encodeWithoutPayload(PublishPacket packet, ByteBuf out) {
        int remainingLength = PublishCodec.remainingLength(packet, version);
        if (isTooLarge(remainingLength)) {
            return TOO_LARGE;
        }
        int size = PropertiesCodec.withLength(remainingLength) + 1;
        out.ensureWritable(size - packet.payload().length());
        out.writeByte(PublishCodec.firstByte(packet));
        VariableByteInteger.write(remainingLength, out);
        PublishCodec.writeWithoutPayload(packet, version, out);
        return size;
    }

    /** If the peer does not request problem information, only CONNACK and DISCONNECT carry Reason Strings [MQTT-3.1.2-29]. */
    private boolean mayCarryReasonStrings(MqttPacket packet) {
        return problemInformation || packet instanceof ConnAckPacket || packet instanceof DisconnectPacket;
    }

    private boolean isTooLarge(int remainingLength) {
        return remainingLength > VariableByteInteger.MAXIMUM
                || 1 + PropertiesCodec.withLength(remainingLength) > maximumPacketBytes;
    }

    private int remainingLength(MqttPacket packet, ReasonStrings reasonStrings) {
        return switch (packet) {
            case PublishPacket p -> PublishCodec.remainingLength(p, version);
            case PubAckPacket p ->
                AcknowledgementCodec.remainingLength(
                        version, p.reason(), p.reasonString(), p.userProperties(), reasonStrings);
            case PubRecPacket p ->
                AcknowledgementCodec.remainingLength(
                        version, p.reason(), p.reasonString(), p.userProperties(), reasonStrings);
            case PubRelPacket p ->
                AcknowledgementCodec.remainingLength(
                        version, p.reason(), p.reasonString(), p.userProperties(), reasonStrings);
            case PubCompPacket p ->
                AcknowledgementCodec.remainingLength(
                        version, p.reason(), p.reasonString(), p.userProperties(), reasonStrings);
            case PingRespPacket p -> 0;
            case SubAckPacket p -> SubscriptionAnswerCodec.remainingLength(p, version, reasonStrings);
            case UnsubAckPacket p -> SubscriptionAnswerCodec.remainingLength(p, version, reasonStrings);
            case ConnAckPacket p -> ConnAckCodec.remainingLength(p, version, reasonStrings);
            case DisconnectPacket p -> DisconnectCodec.remainingLength(p, version, reasonStrings);
            case AuthPacket p -> AuthCodec.remainingLength(p, reasonStrings);
            case ConnectPacket _, SubscribePacket _, UnsubscribePacket _, PingReqPacket _ -> throw ofClients(packet);
        };
    }

    private void write(MqttPacket packet, int length, ReasonStrings reasonStrings, ByteBuf out) {
        switch (packet) {
            case PublishPacket p -> PublishCodec.write(p, version, out);
            case PubAckPacket p ->
                AcknowledgementCodec.write(
                        p.packetId(), p.reason(), p.reasonString(), p.userProperties(), length, reasonStrings, out);
            case PubRecPacket p ->
                AcknowledgementCodec.write(
                        p.packetId(), p.reason(), p.reasonString(), p.userProperties(), length, reasonStrings, out);
            case PubRelPacket p ->
                AcknowledgementCodec.write(
                        p.packetId(), p.reason(), p.reasonString(), p.userProperties(), length, reasonStrings, out);
            case PubCompPacket p ->
                AcknowledgementCodec.write(
                        p.packetId(), p.reason(), p.reasonString(), p.userProperties(), length, reasonStrings, out);
            case PingRespPacket p -> {}
            case SubAckPacket p -> SubscriptionAnswerCodec.write(p, version, reasonStrings, out);
            case UnsubAckPacket p -> SubscriptionAnswerCodec.write(p, version, reasonStrings, out);
            case ConnAckPacket p -> ConnAckCodec.write(p, version, reasonStrings, out);
            case DisconnectPacket p -> DisconnectCodec.write(p, length, reasonStrings, out);
            case AuthPacket p -> AuthCodec.write(p, length, reasonStrings, out);
            case ConnectPacket _, SubscribePacket _, UnsubscribePacket _, PingReqPacket _ -> throw ofClients(packet);
        }
    }

    private static IllegalArgumentException ofClients(MqttPacket packet) {
        return new IllegalArgumentException("only clients send " + PacketType.of(packet));
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageIdVariableHeader;
import io.netty.handler.codec.mqtt.MqttPublishMessage;

/** Packets in words, for assertions and for the {@link FailureReport}. */
final class RawPacketText {
    private static final int SHOWN_PAYLOAD_BYTES = 40;

    private RawPacketText() {}

    /** Describes any packet, with the beginning of its payload; the packet stays unreleased. */
    static String summary(MqttMessage packet) {
        MqttFixedHeader header = packet.fixedHeader();
        if (packet instanceof MqttPublishMessage publish) {
            ByteBuf payload = publish.payload();
            int shown = Math.min(payload.readableBytes(), SHOWN_PAYLOAD_BYTES);
            return "PUBLISH " + publish.variableHeader().topicName() + " "
                    + payload.toString(payload.readerIndex(), shown, UTF_8) + " qos="
                    + header.qosLevel().value() + " id="
                    + publish.variableHeader().packetId() + (header.isDup() ? " DUP" : "");
        }
        return header.messageType() + " "
                + (packet.variableHeader() instanceof MqttMessageIdVariableHeader id ? id.messageId() : "");
    }

    /** Describes and releases a packet: "PUBLISH payload id", with " DUP" where it has the flag, or its type and identifier. */
    static String described(MqttMessage packet) {
        if (packet instanceof MqttPublishMessage publish) {
            RawPublish sent = RawPublish.of(publish);
            return "PUBLISH " + sent.payload() + " " + sent.packetId() + (sent.duplicate() ? " DUP" : "");
        }
        String type = packet.fixedHeader().messageType().name();
        return packet.variableHeader() instanceof MqttMessageIdVariableHeader header
                ? type + " " + header.messageId()
                : type;
    }
}

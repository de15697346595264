package io.heddle.core.mqtt.packet;

/** PINGRESP: the answer to PINGREQ. */
public record PingRespPacket() implements MqttPacket {
    public static final PingRespPacket INSTANCE = new PingRespPacket();
}

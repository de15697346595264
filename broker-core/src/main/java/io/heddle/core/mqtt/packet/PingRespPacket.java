package io.heddle.core.mqtt.packet;

/** PINGRESP: the answer to PINGREQ. */
public record PingRespPacket() implements MqttPacket {
    /** There is nothing to tell two of them apart. */
    public static final PingRespPacket INSTANCE = new PingRespPacket();
}

package io.heddle.core.mqtt.packet;

/** PINGREQ: the client is alive and asks whether the server is. */
public record PingReqPacket() implements MqttPacket {
    /** There is nothing to tell two of them apart. */
    public static final PingReqPacket INSTANCE = new PingReqPacket();
}

package io.heddle.core.mqtt.packet;

/** PINGREQ: the client checks that the server is alive. */
public record PingReqPacket() implements MqttPacket {
    public static final PingReqPacket INSTANCE = new PingReqPacket();
}

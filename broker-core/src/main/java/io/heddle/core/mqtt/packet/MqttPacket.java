package io.heddle.core.mqtt.packet;

/** An MQTT control packet. */
public sealed interface MqttPacket
        permits ConnectPacket,
                ConnAckPacket,
                PublishPacket,
                PubAckPacket,
                PubRecPacket,
                PubRelPacket,
                PubCompPacket,
                SubscribePacket,
                SubAckPacket,
                UnsubscribePacket,
                UnsubAckPacket,
                PingReqPacket,
                PingRespPacket,
                DisconnectPacket,
                AuthPacket {
    /** The largest two-byte integer: packet identifiers, Receive Maximum, Keep Alive and Topic Alias Maximum. */
    int MAXIMUM_UNSIGNED_SHORT = 65_535;

    /** The largest four-byte integer: intervals in seconds; as a Session Expiry Interval it means "never". */
    long MAXIMUM_UNSIGNED_INT = 4_294_967_295L;
}

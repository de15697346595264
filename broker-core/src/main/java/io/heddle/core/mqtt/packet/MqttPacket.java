package io.heddle.core.mqtt.packet;

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
    /** The largest two-byte integer, used by packet identifiers, Receive Maximum, Keep Alive and Topic Alias Maximum. */
    int MAXIMUM_UNSIGNED_SHORT = 65_535;

    /**
     * The largest four-byte integer, used by intervals in seconds. As a Session Expiry Interval it means that the session never
     * expires.
     */
    long MAXIMUM_UNSIGNED_INT = 4_294_967_295L;
}

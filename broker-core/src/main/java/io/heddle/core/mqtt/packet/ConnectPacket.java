package io.heddle.core.mqtt.packet;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import org.jspecify.annotations.Nullable;

/**
 * CONNECT: the first packet of a client.
 *
 * @param version the protocol version of the connection
 * @param clientId as sent; if empty, the server assigns one [MQTT-3.1.3-6]
 * @param cleanStart Clean Start, in MQTT 3.x Clean Session
 * @param keepAliveSeconds 0 to 65,535; 0 disables the keep alive
 * @param will the Will Message, or null
 * @param userName or null
 * @param password or null; MQTT 5.0 allows one without a user name
 * @param properties of MQTT 5.0; {@link ConnectProperties#NONE} in earlier versions
 */
public record ConnectPacket(
        MqttVersion version,
        String clientId,
        boolean cleanStart,
        int keepAliveSeconds,
        @Nullable WillMessage will,
        @Nullable String userName,
        @Nullable BinaryData password,
        ConnectProperties properties)
        implements MqttPacket {}

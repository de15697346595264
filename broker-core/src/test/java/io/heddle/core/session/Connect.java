package io.heddle.core.session;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a CONNECT packet; the default is MQTT 5.0 with Clean Start, without Keep Alive and will. */
public final class Connect {
    private final String clientId;
    private MqttVersion version = MqttVersion.V5;
    private boolean cleanStart = true;
    private int keepAliveSeconds;
    private long expirySeconds;
    private int receiveMaximum = MqttPacket.MAXIMUM_UNSIGNED_SHORT;
    private @Nullable WillMessage will;
    private @Nullable String userName;
    private @Nullable String method;
    private @Nullable BinaryData data;

    public Connect(String clientId) {
        this.clientId = clientId;
    }

    public Connect version(MqttVersion value) {
        version = value;
        return this;
    }

    public Connect keepAlive(int seconds) {
        keepAliveSeconds = seconds;
        return this;
    }

    /** Resumes the session, which outlives the connection for this time. */
    public Connect persistent(long seconds) {
        cleanStart = false;
        expirySeconds = seconds;
        return this;
    }

    public Connect cleanStart(boolean value) {
        cleanStart = value;
        return this;
    }

    public Connect receiveMaximum(int value) {
        receiveMaximum = value;
        return this;
    }

    public Connect userName(String value) {
        userName = value;
        return this;
    }

    /** Signs in by an exchange. */
    public Connect method(String name, @Nullable BinaryData initial) {
        method = name;
        data = initial;
        return this;
    }

    /** A will "gone" on the topic "wills". */
    public Connect will(long delaySeconds) {
        return will(delaySeconds, QoS.AT_LEAST_ONCE, false);
    }

    /** A will "gone" on the topic "wills". */
    public Connect will(long delaySeconds, QoS qos, boolean retain) {
        will = new WillMessage(
                TopicName.parse("wills", 8),
                BinaryData.wrap("gone".getBytes(StandardCharsets.UTF_8)),
                qos,
                retain,
                delaySeconds,
                PublishProperties.NONE);
        return this;
    }

    public ConnectPacket packet() {
        ConnectProperties properties = version.hasProperties()
                ? new ConnectProperties(
                        expirySeconds,
                        receiveMaximum,
                        MqttPacket.MAXIMUM_UNSIGNED_INT,
                        0,
                        false,
                        true,
                        List.of(),
                        method,
                        data)
                : ConnectProperties.NONE;
        return new ConnectPacket(version, clientId, cleanStart, keepAliveSeconds, will, userName, null, properties);
    }
}

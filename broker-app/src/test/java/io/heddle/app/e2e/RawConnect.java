package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.IntegerProperty;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.time.Duration;

/** CONNECT of a {@link RawClient}. Default: MQTT 5.0, a clean session, and no keep alive, since the client sends no pings by itself. */
public final class RawConnect {
    private final MqttMessageBuilders.ConnectBuilder connect = MqttMessageBuilders.connect();
    private final MqttProperties properties = new MqttProperties();
    private final MqttVersion version;
    private final String clientId;
    private int receiveBufferBytes;
    private int answerMillis = RawClient.ANSWER_MILLIS;

    RawConnect(MqttVersion version, String clientId) {
        this.version = version;
        this.clientId = clientId;
        connect.clientId(clientId).protocolVersion(version).cleanSession(true).keepAlive(0);
    }

    public RawConnect(String clientId) {
        this(MqttVersion.MQTT_5, clientId);
    }

    String clientId() {
        return clientId;
    }

    /** Resumes the session, which outlives the connection by this expiry; sessions of MQTT 3.x always outlive it. */
    RawConnect persistent(int expirySeconds) {
        connect.cleanSession(false);
        return expirySeconds(expirySeconds);
    }

    RawConnect expirySeconds(int seconds) {
        return with(MqttProperties.SESSION_EXPIRY_INTERVAL, seconds);
    }

    RawConnect receiveMaximum(int maximum) {
        return with(MqttProperties.RECEIVE_MAXIMUM, maximum);
    }

    RawConnect maximumPacketSize(int bytes) {
        return with(MqttProperties.MAXIMUM_PACKET_SIZE, bytes);
    }

    private RawConnect with(int property, int value) {
        properties.add(new IntegerProperty(property, value));
        return this;
    }

    RawConnect user(String name, String password) {
        connect.username(name).password(password.getBytes(UTF_8));
        return this;
    }

    RawConnect keepAliveSeconds(int seconds) {
        connect.keepAlive(seconds);
        return this;
    }

    /** Adds a will at QoS 1; MQTT 3.x has no delay. */
    RawConnect will(String topic, String payload, int delaySeconds) {
        MqttProperties willProperties = new MqttProperties();
        if (delaySeconds > 0) {
            willProperties.add(new IntegerProperty(MqttProperties.WILL_DELAY_INTERVAL, delaySeconds));
        }
        connect.willFlag(true)
                .willTopic(topic)
                .willMessage(payload.getBytes(UTF_8))
                .willQoS(MqttQoS.AT_LEAST_ONCE)
                .willProperties(willProperties);
        return this;
    }

    /** Adds a retained will at QoS 1, without delay. */
    RawConnect retainedWill(String topic, String payload) {
        will(topic, payload, 0);
        connect.willRetain(true);
        return this;
    }

    /** Sets the receive buffer of the socket; 0 is the system's default. */
    RawConnect receiveBufferBytes(int bytes) {
        receiveBufferBytes = bytes;
        return this;
    }

    /** Sets the longest wait for a packet. */
    public RawConnect answersWithin(Duration longest) {
        answerMillis = Math.toIntExact(longest.toMillis());
        return this;
    }

    /** Connects and waits for a successful CONNACK. */
    public RawClient open(int port) {
        if (version == MqttVersion.MQTT_5) {
            connect.properties(properties);
        }
        MqttConnectMessage packet = connect.build();
        return RawClient.open(port, packet, receiveBufferBytes, answerMillis);
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import javax.net.SocketFactory;
import org.eclipse.paho.client.mqttv3.IMqttDeliveryToken;
import org.eclipse.paho.client.mqttv3.MqttCallback;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.client.mqttv3.MqttException;
import org.eclipse.paho.client.mqttv3.MqttMessage;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.jspecify.annotations.Nullable;

/** Paho's client in MQTT 3.1.1 or 3.1. */
final class Paho3Client extends LibraryClient implements MqttCallback {
    private static final int ANSWER_MILLIS = 60_000;

    private final MqttClient client;

    /** False until the library has cleaned up a lost connection, some time after it noticed the loss. */
    private volatile boolean clearedAway = true;

    private final int version;

    private final @Nullable SocketFactory sockets;

    /** {@code version} is one of the library's constants. */
    Paho3Client(ListenerAddress address, String clientId, int version) throws MqttException {
        super(clientId);
        this.version = version;
        sockets = address.pahoSockets();
        client = new MqttClient(address.pahoUrl(), clientId, new MemoryPersistence());
        client.setTimeToWait(ANSWER_MILLIS);
        client.setCallback(this);
    }

    @Override
    public void messageArrived(String topic, MqttMessage message) {
        arrived(topic, message.getPayload(), message.getQos(), message.isRetained());
    }

    @Override
    public void connectionLost(Throwable cause) {
        clearedAway = true;
    }

    @Override
    public void deliveryComplete(IMqttDeliveryToken token) {}

    @Override
    boolean connect(Connecting how) throws MqttException {
        MqttConnectOptions options = new MqttConnectOptions();
        options.setMqttVersion(version);
        if (sockets != null) {
            options.setSocketFactory(sockets);
        }
        options.setCleanSession(!how.persistent());
        // A completed publish still counts for a moment, so the default of 10 is not enough for one publish after
        // another.
        options.setMaxInflight(1_000);
        Connecting.Will will = how.will();
        if (will != null) {
            options.setWill(will.topic(), will.payload().getBytes(UTF_8), will.qos(), will.retain());
        }
        clearedAway = false;
        return client.connectWithResult(options).getSessionPresent();
    }

    @Override
    void subscribe(String topicFilter, int qos) throws MqttException {
        client.subscribe(topicFilter, qos);
    }

    @Override
    void unsubscribe(String topicFilter) throws MqttException {
        client.unsubscribe(topicFilter);
    }

    @Override
    void publish(String topic, String payload, int qos, boolean retain) throws MqttException {
        client.publish(topic, payload.getBytes(UTF_8), qos, retain);
    }

    @Override
    boolean hasConnection() {
        return client.isConnected();
    }

    @Override
    boolean isConnected() {
        return hasConnection() || !clearedAway;
    }

    @Override
    void disconnect() throws MqttException {
        client.disconnect();
        clearedAway = true;
    }

    @Override
    void release() throws MqttException {
        client.close(true);
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.SocketFactory;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.jspecify.annotations.Nullable;

/** Paho's client in MQTT 5.0. */
final class Paho5Client extends LibraryClient implements MqttCallback {
    private static final int ANSWER_MILLIS = 60_000;

    private final Queue<List<Integer>> identifiers = new ConcurrentLinkedQueue<>();
    private final Identifying client;

    /** False until the library has cleaned up a lost connection, some time after it noticed the loss. */
    private volatile boolean clearedAway = true;

    /** Adds Subscription Identifiers, which the library's blocking client does not support. */
    private static final class Identifying extends MqttClient {
        Identifying(String uri, String clientId) throws MqttException {
            super(uri, clientId, new MemoryPersistence());
        }

        void subscribe(String topicFilter, int qos, int identifier) throws MqttException {
            MqttProperties properties = new MqttProperties();
            properties.setSubscriptionIdentifier(identifier);
            MqttSubscription[] subscription = {new MqttSubscription(topicFilter, qos)};
            aClient.subscribe(subscription, null, null, properties).waitForCompletion(ANSWER_MILLIS);
        }
    }

    private final @Nullable SocketFactory sockets;

    Paho5Client(int port, String clientId) throws MqttException {
        this(ListenerAddress.tcp(port), clientId);
    }

    Paho5Client(ListenerAddress address, String clientId) throws MqttException {
        super(clientId);
        sockets = address.pahoSockets();
        client = new Identifying(address.pahoUrl(), clientId);
        client.setTimeToWait(ANSWER_MILLIS);
        client.setCallback(this);
    }

    @Override
    public void messageArrived(String topic, MqttMessage message) {
        identifiers.add(List.copyOf(message.getProperties().getSubscriptionIdentifiers()));
        arrived(topic, message.getPayload(), message.getQos(), message.isRetained());
    }

    @Override
    public void disconnected(MqttDisconnectResponse response) {
        clearedAway = true;
    }

    @Override
    public void mqttErrorOccurred(MqttException exception) {}

    @Override
    public void deliveryComplete(IMqttToken token) {}

    @Override
    public void connectComplete(boolean reconnect, String serverUri) {}

    @Override
    public void authPacketArrived(int reasonCode, MqttProperties properties) {}

    @Override
    boolean connect(Connecting how) throws MqttException {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(!how.persistent());
        if (sockets != null) {
            options.setSocketFactory(sockets);
        }
        if (how.persistent()) {
            options.setSessionExpiryInterval(Connecting.EXPIRY_SECONDS);
        }
        if (how.receiveMaximum() > 0) {
            options.setReceiveMaximum(how.receiveMaximum());
        }
        Connecting.Will will = how.will();
        if (will != null) {
            options.setWill(
                    will.topic(), new MqttMessage(will.payload().getBytes(UTF_8), will.qos(), will.retain(), null));
        }
        clearedAway = false;
        return client.connectWithResult(options).getSessionPresent();
    }

    @Override
    void subscribe(String topicFilter, int qos) throws MqttException {
        client.subscribe(topicFilter, qos);
    }

    /** Subscribes with a Subscription Identifier. */
    void subscribe(String topicFilter, int qos, int identifier) throws MqttException {
        client.subscribe(topicFilter, qos, identifier);
    }

    /** Returns the Subscription Identifiers of each message so far. */
    List<List<Integer>> identifiers() {
        return List.copyOf(identifiers);
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

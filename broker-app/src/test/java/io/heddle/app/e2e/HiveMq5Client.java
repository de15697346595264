package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.app.HiveMqGoodbye;
import java.util.Objects;

/** HiveMQ's client in MQTT 5.0. */
final class HiveMq5Client extends LibraryClient {
    private final Mqtt5BlockingClient client;

    HiveMq5Client(int port, String clientId) {
        this(ListenerAddress.tcp(port), clientId);
    }

    HiveMq5Client(ListenerAddress address, String clientId) {
        super(clientId);
        client = address.hiveMq(clientId).useMqttVersion5().buildBlocking();
        // Before the first connection, so that no queued message of a session is missed.
        client.toAsync().publishes(MqttGlobalPublishFilter.ALL, this::arrived);
    }

    private void arrived(Mqtt5Publish message) {
        arrived(
                message.getTopic().toString(),
                message.getPayloadAsBytes(),
                message.getQos().getCode(),
                message.isRetain());
    }

    /** Returns the HiveMQ client, for features that {@link LibraryClient} does not have. */
    Mqtt5BlockingClient library() {
        return client;
    }

    @Override
    boolean connect(Connecting how) {
        Mqtt5ConnectBuilder connect = Mqtt5Connect.builder().cleanStart(!how.persistent());
        if (how.persistent()) {
            connect = connect.sessionExpiryInterval(Connecting.EXPIRY_SECONDS);
        }
        if (how.receiveMaximum() > 0) {
            connect =
                    connect.restrictions().receiveMaximum(how.receiveMaximum()).applyRestrictions();
        }
        Connecting.Will will = how.will();
        if (will != null) {
            connect = connect.willPublish()
                    .topic(will.topic())
                    .payload(will.payload().getBytes(UTF_8))
                    .qos(qos(will.qos()))
                    .retain(will.retain())
                    .applyWillPublish();
        }
        return client.connect(connect.build()).isSessionPresent();
    }

    private static MqttQos qos(int code) {
        return Objects.requireNonNull(MqttQos.fromCode(code));
    }

    @Override
    void subscribe(String topicFilter, int qos) {
        client.subscribeWith().topicFilter(topicFilter).qos(qos(qos)).send();
    }

    @Override
    void unsubscribe(String topicFilter) {
        client.unsubscribeWith().topicFilter(topicFilter).send();
    }

    @Override
    void publish(String topic, String payload, int qos, boolean retain) {
        client.publishWith()
                .topic(topic)
                .payload(payload.getBytes(UTF_8))
                .qos(qos(qos))
                .retain(retain)
                .send();
    }

    @Override
    boolean hasConnection() {
        return client.getState().isConnected();
    }

    @Override
    void disconnect() {
        HiveMqGoodbye.disconnect(client);
    }
}

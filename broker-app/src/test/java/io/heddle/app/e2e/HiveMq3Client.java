package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt3.Mqtt3BlockingClient;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import io.heddle.app.HiveMqGoodbye;
import java.util.Objects;

/** HiveMQ's client in MQTT 3.1.1. */
final class HiveMq3Client extends LibraryClient {
    private final Mqtt3BlockingClient client;

    HiveMq3Client(ListenerAddress address, String clientId) {
        super(clientId);
        client = address.hiveMq(clientId).useMqttVersion3().buildBlocking();
        // Before the first connection, so that no queued message of a session is missed.
        client.toAsync().publishes(MqttGlobalPublishFilter.ALL, this::arrived);
    }

    private void arrived(Mqtt3Publish message) {
        arrived(
                message.getTopic().toString(),
                message.getPayloadAsBytes(),
                message.getQos().getCode(),
                message.isRetain());
    }

    @Override
    boolean connect(Connecting how) {
        Mqtt3ConnectBuilder connect = Mqtt3Connect.builder().cleanSession(!how.persistent());
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

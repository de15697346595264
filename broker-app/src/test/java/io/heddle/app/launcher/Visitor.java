package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.heddle.app.HiveMqGoodbye;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An MQTT client over loopback.
 *
 * @param userName null for an anonymous client
 */
record Visitor(
        String clientId,
        @Nullable String userName,
        @Nullable String password) {
    static Visitor anonymous() {
        return new Visitor("visitor-" + UUID.randomUUID(), null, null);
    }

    static Visitor user(String name, String password) {
        return new Visitor("visitor-" + UUID.randomUUID(), name, password);
    }

    /** Returns a client with a password and no user name. */
    static Visitor client(String clientId, String password) {
        return new Visitor(clientId, null, password);
    }

    private Mqtt5BlockingClient client(int port) {
        var builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(port);
        String name = userName;
        String secret = password;
        if (name != null && secret != null) {
            builder.simpleAuth().username(name).password(secret.getBytes(UTF_8)).applySimpleAuth();
        } else if (secret != null) {
            builder.simpleAuth().password(secret.getBytes(UTF_8)).applySimpleAuth();
        }
        return builder.buildBlocking();
    }

    /** Connects, and returns the reason code of CONNACK. */
    Mqtt5ConnAckReasonCode connect(int port) {
        Mqtt5BlockingClient client = client(port);
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    /** Subscribes, publishes, and asserts that the message arrives. */
    void exchangeAMessage(int port) throws InterruptedException {
        Mqtt5BlockingClient client = client(port);
        client.connect();
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL)) {
            String topic = "visitors/" + clientId;
            client.subscribeWith().topicFilter(topic).send();
            client.publishWith().topic(topic).payload("hello".getBytes(UTF_8)).send();
            Optional<Mqtt5Publish> message = messages.receive(60, TimeUnit.SECONDS);
            assertThat(message).isPresent();
            assertThat(new String(message.get().getPayloadAsBytes(), UTF_8)).isEqualTo("hello");
        }
        HiveMqGoodbye.disconnect(client);
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.heddle.persistence.postgres.PostgresCredentials;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.persistence.postgres.PostgresSettings;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients whose credentials are changed or removed while they are connected, by another process as the command does. */
final class ChangedCredentialsIT {
    private static final String USER = "changed-credentials";

    @AfterEach
    void forgetCredentials() {
        withCredentials(store -> store.remove(null, USER));
        withCredentials(store -> store.remove(null, USER + "-other"));
    }

    @Test
    void clientsOfChangedOrRemovedCredentialsAreDisconnectedAndOthersStay() throws Exception {
        store(USER, "one");
        store(USER + "-other", "one");
        try (BrokerUnderTest broker = BrokerUnderTest.start()) {
            CompletableFuture<Mqtt5DisconnectReasonCode> first = new CompletableFuture<>();
            Mqtt5BlockingClient client = client(broker, USER, "one", first);
            CompletableFuture<Mqtt5DisconnectReasonCode> unconcerned = new CompletableFuture<>();
            Mqtt5BlockingClient other = client(broker, USER + "-other", "one", unconcerned);

            store(USER, "two");
            assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.NOT_AUTHORIZED);

            CompletableFuture<Mqtt5DisconnectReasonCode> second = new CompletableFuture<>();
            client(broker, USER, "two", second);
            withCredentials(store -> store.remove(null, USER));
            assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.NOT_AUTHORIZED);

            assertThat(client.getState().isConnected()).isFalse();
            assertThat(unconcerned).isNotDone();
            assertThat(other.getState().isConnected()).isTrue();
            HiveMqGoodbye.disconnect(other);
        }
    }

    private static Mqtt5BlockingClient client(
            BrokerUnderTest broker,
            String userName,
            String password,
            CompletableFuture<Mqtt5DisconnectReasonCode> disconnected) {
        Mqtt5BlockingClient client = MqttClient.builder()
                .useMqttVersion5()
                .identifier(userName)
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort())
                .simpleAuth()
                .username(userName)
                .password(password.getBytes(UTF_8))
                .applySimpleAuth()
                .addDisconnectedListener(context -> {
                    if (context.getCause() instanceof Mqtt5DisconnectException disconnect) {
                        disconnected.complete(disconnect.getMqttMessage().getReasonCode());
                    }
                })
                .buildBlocking();
        client.connect();
        return client;
    }

    static void store(String userName, String password) {
        String hash = new Argon2PasswordHash(1, new SecureRandom(), new SimpleMeterRegistry())
                .hash(BinaryData.wrap(password.getBytes(UTF_8)));
        withCredentials(
                store -> store.put(new StoredCredentials(UUID.randomUUID(), null, userName, ClientType.DEVICE, hash)));
    }

    static void withCredentials(Consumer<CredentialsStore> action) {
        Endpoints endpoints = TestServers.shared();
        PostgresSettings settings =
                TestSettings.postgres(endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword());
        try (PostgresDatabase database = PostgresDatabase.open(settings, new SimpleMeterRegistry())) {
            action.accept(new PostgresCredentials(() -> database));
        }
    }
}

package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.scram.ScramAlgorithm;
import io.heddle.persistence.scram.ScramVerifier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker with SCRAM, and clients with the HiveMQ library, whose SCRAM is that of Kafka's library. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ScramIT {
    private static final String USER = "scram-it-user";
    private static final String PASSWORD = "correct horse";
    private static final int STRANGERS = 200;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    private static String userName(ScramAlgorithm algorithm) {
        return USER + "-" + algorithm;
    }

    @BeforeAll
    void startBroker() {
        for (ScramAlgorithm algorithm : ScramAlgorithm.values()) {
            String verifier = ScramVerifier.create(
                            algorithm, BinaryData.wrap(PASSWORD.getBytes(UTF_8)), new SecureRandom())
                    .text();
            ChangedCredentialsIT.withCredentials(store -> store.put(
                    new StoredCredentials(UUID.randomUUID(), null, userName(algorithm), ClientType.DEVICE, verifier)));
        }
        ChangedCredentialsIT.store(USER, PASSWORD);
        broker = BrokerUnderTest.start(
                "--heddle.authentication.methods=password,scram", "--heddle.mqtt.connect-timeout=4s");
    }

    @AfterAll
    void stopBroker() {
        broker.close();
        ChangedCredentialsIT.withCredentials(store -> {
            store.remove(null, USER);
            for (ScramAlgorithm algorithm : ScramAlgorithm.values()) {
                store.remove(null, userName(algorithm));
            }
        });
    }

    private Mqtt5ClientBuilder builder() {
        return MqttClient.builder()
                .useMqttVersion5()
                .identifier(Library.newClientId())
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort());
    }

    private static Mqtt5ConnAckReasonCode connect(Mqtt5BlockingClient client) {
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    private Mqtt5ConnAckReasonCode connect(ScramAlgorithm algorithm, String userName, String password) {
        return connect(builder()
                .enhancedAuth(SaslMechanism.scram(algorithm, userName, () -> password))
                .buildBlocking());
    }

    @ParameterizedTest
    @EnumSource(ScramAlgorithm.class)
    void aClientWithThePasswordSignsInAndOthersDoNot(ScramAlgorithm algorithm) {
        assertThat(connect(algorithm, userName(algorithm), PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect(algorithm, userName(algorithm), "wrong"))
                .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect(algorithm, USER, PASSWORD))
                .as("without a verifier")
                .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect(algorithm, "nobody", PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }

    @ParameterizedTest
    @EnumSource(ScramAlgorithm.class)
    void theVerifierServesAPlainPasswordTooAndStays(ScramAlgorithm algorithm) {
        Mqtt5BlockingClient plain = builder()
                .simpleAuth()
                .username(userName(algorithm))
                .password(PASSWORD.getBytes(UTF_8))
                .applySimpleAuth()
                .buildBlocking();

        assertThat(connect(plain)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect(algorithm, userName(algorithm), PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
    }

    @ParameterizedTest
    @EnumSource(ScramAlgorithm.class)
    void aClientAuthenticatesAgainWhileItPublishes(ScramAlgorithm algorithm) throws Exception {
        AtomicReference<String> password = new AtomicReference<>(PASSWORD);
        SaslMechanism mechanism = SaslMechanism.scram(algorithm, userName(algorithm), password::get);
        CompletableFuture<Mqtt5DisconnectReasonCode> disconnected = new CompletableFuture<>();
        Mqtt5BlockingClient client = builder()
                .enhancedAuth(mechanism)
                .addDisconnectedListener(context -> {
                    if (context.getCause() instanceof Mqtt5DisconnectException disconnect) {
                        disconnected.complete(disconnect.getMqttMessage().getReasonCode());
                    }
                })
                .buildBlocking();
        client.connect();
        String topic = "scram/" + algorithm;
        try (Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).send();
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                sent.add(client.toAsync()
                        .publishWith()
                        .topic(topic)
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .payload(("" + i).getBytes(UTF_8))
                        .send());
                if (i % 10 == 5) {
                    client.reauth();
                    assertThat(mechanism.renewed.poll(20, TimeUnit.SECONDS)).isTrue();
                }
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)).get(20, TimeUnit.SECONDS);
            for (int i = 0; i < 50; i++) {
                assertThat(messages.receive(20, TimeUnit.SECONDS)).isPresent();
            }
        }

        password.set("wrong");
        var _ = client.toAsync().reauth();

        assertThat(disconnected.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.NOT_AUTHORIZED);
    }

    // Connections that lie, flood and stop answering.

    /** Opens a connection and sends CONNECT with the first message of SCRAM. */
    private Socket stranger(int number) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(body);
        byte[] first = ("n,,n=stranger,r=" + number).getBytes(UTF_8);
        out.writeUTF("MQTT");
        out.writeByte(5);
        out.writeByte(2);
        out.writeShort(60);
        String method = ScramAlgorithm.SHA_256.mechanism();
        out.writeByte(3 + method.length() + 3 + first.length);
        out.writeByte(0x15);
        out.writeUTF(method);
        out.writeByte(0x16);
        out.writeShort(first.length);
        out.write(first);
        out.writeUTF("stranger-" + number);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), broker.mqttPort());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(0x10);
        socket.getOutputStream().write(body.size());
        socket.getOutputStream().write(body.toByteArray());
        return socket;
    }

    private static byte[] answers(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        return in.readAllBytes();
    }

    @Test
    void silentClientsAreClosedAtTheTimeoutOfConnect() throws Exception {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < STRANGERS; i++) {
            silent.add(stranger(i));
        }
        assertThat(connect(ScramAlgorithm.SHA_256, userName(ScramAlgorithm.SHA_256), PASSWORD))
                .isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);

        for (Socket each : silent) {
            byte[] received = answers(each);
            assertThat(received[0]).as("AUTH").isEqualTo((byte) 0xF0);
            assertThat(received).as("and no CONNACK").hasSize(2 + received[1]);
            each.close();
        }
    }
}

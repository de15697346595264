package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificatePin;
import io.heddle.core.client.ClientType;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.connection.ListenerKind;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients that prove themselves with certificates, over TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CertificateIT {
    private static final String USER = "certificate-it-user";

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private TrialTls tls;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void startBroker(@TempDir Path directory) throws Exception {
        tls = new TrialTls(directory);
        List<String> settings = new ArrayList<>(tls.settings());
        settings.addAll(List.of(
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.tls.client-certificates=optional",
                "--heddle.mqtt.tls.trust-store=" + tls.authoritiesOfClients(true),
                "--heddle.mqtt.tls.reload-interval=100ms",
                "--heddle.mqtt.listeners[0].name=passwords",
                "--heddle.mqtt.listeners[0].kind=tls",
                "--heddle.mqtt.listeners[0].port=0",
                "--heddle.mqtt.listeners[0].authentication-methods=password",
                "--heddle.authentication.anonymous.enabled=false",
                "--heddle.authentication.methods=certificate,password"));
        broker = BrokerUnderTest.start(settings.toArray(String[]::new));
        broker.replaceRules("""
                default deny
                allow all devices/${cn}/# for everyone
                allow subscribe alarms/# for group pumps
                """);
    }

    @AfterAll
    void stopBroker() throws Exception {
        // Other tests use the same servers.
        broker.replaceRules("default allow");
        broker.close();
        ChangedCredentialsIT.withCredentials(store -> store.remove(null, USER));
    }

    private Mqtt5BlockingClient client(
            @Nullable Issued certificate, CompletableFuture<Mqtt5DisconnectReasonCode> disconnected) {
        return client(broker.listeners("tls").getFirst().getPort(), certificate, disconnected);
    }

    private Mqtt5BlockingClient client(
            int port, @Nullable Issued certificate, CompletableFuture<Mqtt5DisconnectReasonCode> disconnected) {
        MqttClientBuilder builder = new ListenerAddress(ListenerKind.TLS, port, tls)
                .hiveMq(Library.newClientId())
                .addDisconnectedListener(context -> {
                    if (context.getCause() instanceof Mqtt5DisconnectException disconnect) {
                        disconnected.complete(disconnect.getMqttMessage().getReasonCode());
                    }
                });
        if (certificate != null) {
            builder = builder.sslConfig()
                    .trustManagerFactory(tls.trust())
                    .keyManagerFactory(TrialTls.key(certificate))
                    .applySslConfig();
        }
        return builder.useMqttVersion5().buildBlocking();
    }

    private Mqtt5ConnAckReasonCode connect(@Nullable Issued certificate) {
        Mqtt5BlockingClient client = client(certificate, new CompletableFuture<>());
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    @Test
    void aListenerMayHaveMethodsOfItsOwn() throws Exception {
        Issued certificate = tls.client("pump-9");
        int passwords = broker.listeners("tls").getLast().getPort();
        Mqtt5BlockingClient client = client(passwords, certificate, new CompletableFuture<>());

        assertThatThrownBy(client::connect)
                .isInstanceOfSatisfying(
                        Mqtt5ConnAckException.class,
                        refused -> assertThat(refused.getMqttMessage().getReasonCode())
                                .isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED));
        assertThat(connect(certificate)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
    }

    private static String fingerprint(Issued certificate) throws Exception {
        return "sha256:"
                + HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256")
                                .digest(certificate.certificate().getEncoded()));
    }

    private static void store(String pin) {
        StoredCredentials stored = new StoredCredentials(
                UUID.randomUUID(),
                null,
                USER,
                ClientType.DEVICE,
                List.of("pumps"),
                Objects.requireNonNull(CertificatePin.parse(pin)).stored(),
                null);
        ChangedCredentialsIT.withCredentials(store -> store.put(stored));
    }

    @Test
    void theNameInTheCertificateSelectsRules() throws Exception {
        Mqtt5BlockingClient client = client(tls.client("pump-7"), new CompletableFuture<>());
        client.connect();

        client.subscribeWith().topicFilter("devices/pump-7/#").send();
        assertThatThrownBy(() ->
                        client.subscribeWith().topicFilter("devices/pump-8/#").send())
                .isInstanceOf(Mqtt5SubAckException.class);
        assertThatThrownBy(() -> client.subscribeWith().topicFilter("alarms/#").send())
                .isInstanceOf(Mqtt5SubAckException.class);
        assertThat(connect(null)).isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);

        HiveMqGoodbye.disconnect(client);
    }

    @Test
    void aPinnedCertificateIsReplacedAndItsClientDisconnected() throws Exception {
        Issued first = tls.client(USER);
        Issued second = tls.client(USER);
        store(fingerprint(first));
        CompletableFuture<Mqtt5DisconnectReasonCode> disconnected = new CompletableFuture<>();
        Mqtt5BlockingClient client = client(first, disconnected);
        client.connect();
        client.subscribeWith().topicFilter("alarms/#").send();
        assertThat(connect(second)).isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);

        store(fingerprint(second));

        assertThat(disconnected.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.NOT_AUTHORIZED);
        assertThat(connect(first)).isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);
        assertThat(connect(second)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
    }

    @Test
    void clientsOfAnAuthorityThatIsRemovedAreDisconnected() throws Exception {
        CompletableFuture<Mqtt5DisconnectReasonCode> disconnected = new CompletableFuture<>();
        Mqtt5BlockingClient removed = client(tls.clientOfSecondAuthority("pump-5"), disconnected);
        Mqtt5BlockingClient other = client(tls.client("pump-6"), new CompletableFuture<>());
        removed.connect();
        other.connect();

        tls.authoritiesOfClients(false);

        assertThat(disconnected.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.NOT_AUTHORIZED);
        other.subscribeWith().topicFilter("devices/pump-6/#").send();
        HiveMqGoodbye.disconnect(other);
        tls.authoritiesOfClients(true);
    }
}

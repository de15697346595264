package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.connection.ListenerKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients with certificates, and clients without TLS, at ports for TLS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsIT {
    private static final int LARGE = 100_000;
    private static final String STRICT = "heddle.mqtt.listeners[0].";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private TrialTls tls;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private Issued client;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void start() throws IOException {
        tls = new TrialTls(directory);
        client = tls.client("sensor-1");
        List<String> settings = new ArrayList<>(tls.settings());
        settings.addAll(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--" + STRICT + "name=strict",
                "--" + STRICT + "kind=tls",
                "--" + STRICT + "port=0",
                "--" + STRICT + "tls.client-certificates=required",
                "--" + STRICT + "tls.trust-store=" + tls.authorityFile()));
        broker = BrokerUnderTest.start(settings.toArray(String[]::new));
    }

    private int strictPort() {
        return broker.listeners("tls").getLast().getPort();
    }

    private MqttClientBuilder atStrictListener() {
        return new ListenerAddress(ListenerKind.TLS, strictPort(), tls).hiveMq(Library.newClientId());
    }

    @Test
    void mosquittoShowsTheRequiredCertificate() throws Exception {
        assumeTrue(
                OtherProgram.isOnPath("mosquitto_pub"),
                "mosquitto_pub is not on the PATH: apt-get install mosquitto-clients");
        OtherProgram.Ended accepted = publishWithMosquitto(
                "--cert", directory.resolve("sensor-1.pem").toString(),
                "--key", directory.resolve("sensor-1-key.pem").toString());
        assertThat(accepted.status()).as(accepted.output()).isZero();

        assertThat(publishWithMosquitto().status()).isNotZero();
    }

    private OtherProgram.Ended publishWithMosquitto(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "mosquitto_pub",
                "--cafile",
                tls.authorityFile().toString(),
                "-h",
                ListenerAddress.HOST,
                "-p",
                Integer.toString(strictPort()),
                "-q",
                "1",
                "-t",
                "strict/mosquitto",
                "-m",
                "hello"));
        command.addAll(List.of(options));
        return OtherProgram.run(command.toArray(String[]::new));
    }

    @Test
    void aClientNeedsTheRequiredCertificate() throws Exception {
        double before = broker.count("heddle.tls.handshake.failures", "reason", "no_certificate");
        Mqtt5BlockingClient without = atStrictListener().useMqttVersion5().buildBlocking();

        assertThatThrownBy(without::connect).isInstanceOf(RuntimeException.class);

        Soon.until(() -> broker.count("heddle.tls.handshake.failures", "reason", "no_certificate") == before + 1);
        Mqtt5BlockingClient with = atStrictListener()
                .sslConfig()
                .trustManagerFactory(tls.trust())
                .keyManagerFactory(TrialTls.key(client))
                .applySslConfig()
                .useMqttVersion5()
                .buildBlocking();
        with.connect();
        exchange(with, "strict/hivemq");
        HiveMqGoodbye.disconnect(with);
    }

    private static void exchange(Mqtt5BlockingClient connected, String topic) throws Exception {
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = connected.publishes(MqttGlobalPublishFilter.ALL)) {
            connected
                    .subscribeWith()
                    .topicFilter(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send();
            connected
                    .publishWith()
                    .topic(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload(new byte[LARGE])
                    .send();
            assertThat(messages.receive(60, TimeUnit.SECONDS).orElseThrow().getPayloadAsBytes())
                    .hasSize(LARGE);
        }
    }

    /** docs/metrics.md says so. */
    @Test
    void aClientWithoutTlsCountsAsForeignProtocolAndNotAsAHandshake() throws IOException {
        double foreign = refused("foreign_protocol");
        double handshakes = refused("tls_handshake");
        double notTls = broker.count("heddle.tls.handshake.failures", "reason", "not_tls");
        try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), strictPort())) {
            plain.setSoTimeout(60_000);
            plain.getOutputStream().write("\020\014\000\004MQTT\004\002\000\074\000\000".getBytes(UTF_8));

            assertThat(plain.getInputStream().read()).isEqualTo(-1);
        }
        Soon.until(() -> refused("foreign_protocol") == foreign + 1);
        assertThat(refused("tls_handshake")).isEqualTo(handshakes);
        assertThat(broker.count("heddle.tls.handshake.failures", "reason", "not_tls"))
                .isEqualTo(notTls);
    }

    private double refused(String reason) {
        return broker.count("heddle.listener.refused", "listener", "strict", "reason", reason);
    }
}

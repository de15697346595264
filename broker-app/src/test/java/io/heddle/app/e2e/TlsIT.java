package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.core.lifecycle.Node;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.paho.client.mqttv3.MqttConnectOptions;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients of several libraries over TLS, with certificates of clients, and certificates that are replaced while clients are connected. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsIT {
    private static final String HOST = "127.0.0.1";
    private static final int RELOADS = 5;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    private final TrialCertificates trial =
            new TrialCertificates(new SecureRandom(), Instant.now(), Duration.ofDays(60));
    private final Issued authority = trial.authority("Trial authority");
    private final Issued client = trial.client(authority, "sensor-1", List.of());

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @BeforeAll
    void start() throws Exception {
        write("ca.pem", authority.certificatePem());
        write("client.pem", client.certificatePem());
        write("client-key.pem", client.keyPem());
        replaceServerCertificate("first");
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.wss-port=0",
                "--heddle.mqtt.tls.certificate=" + file("server.pem"),
                "--heddle.mqtt.tls.key=" + file("server-key.pem"),
                "--heddle.mqtt.tls.reload-interval=100ms",
                "--heddle.mqtt.listeners[0].name=strict",
                "--heddle.mqtt.listeners[0].kind=tls",
                "--heddle.mqtt.listeners[0].port=0",
                "--heddle.mqtt.listeners[0].tls.client-certificates=required",
                "--heddle.mqtt.listeners[0].tls.trust-store=" + file("ca.pem"));
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    private static Path file(String name) {
        return directory.resolve(name);
    }

    private static void write(String name, String text) throws Exception {
        Files.writeString(file(name), text);
    }

    private void replaceServerCertificate(String name) throws Exception {
        Issued server = trial.server(authority, List.of(name + ".example.org", "localhost", HOST));
        write("server.pem", server.certificatePem());
        write("server-key.pem", server.keyPem());
    }

    /** Returns the port of the only or, of TLS, the first or second listener with a scheme. */
    private int port(String scheme, int index) {
        return broker.part(Node.class).status().listeners().stream()
                .map(URI::create)
                .filter(url -> scheme.equals(url.getScheme()))
                .skip(index)
                .findFirst()
                .orElseThrow()
                .getPort();
    }

    private int tlsPort() {
        return port("tls", 0);
    }

    private int strictPort() {
        return port("tls", 1);
    }

    private TrustManagerFactory trust() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.certificate());
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(trusted);
        return factory;
    }

    private KeyManagerFactory key() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("client", client.key(), new char[0], new X509Certificate[] {client.certificate()});
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, new char[0]);
        return factory;
    }

    private SSLContext context(KeyManager @Nullable [] keys) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust().getTrustManagers(), null);
        return context;
    }

    private MqttClientBuilder hiveMq(int port) throws Exception {
        return MqttClient.builder()
                .identifier(Library.newClientId())
                .serverHost(HOST)
                .serverPort(port)
                .sslConfig()
                .trustManagerFactory(trust())
                .applySslConfig();
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
                    .payload(new byte[100_000])
                    .send();
            assertThat(messages.receive(60, TimeUnit.SECONDS).orElseThrow().getPayloadAsBytes())
                    .hasSize(100_000);
        }
    }

    @Test
    void hiveMqClientsPublishAndReceive() throws Exception {
        Mqtt5BlockingClient overTls = hiveMq(tlsPort()).useMqttVersion5().buildBlocking();
        overTls.connect();
        exchange(overTls, "tls/hivemq");
        overTls.disconnect();

        Mqtt5BlockingClient overWebSocket = hiveMq(port("wss", 0))
                .webSocketConfig()
                .serverPath("mqtt")
                .applyWebSocketConfig()
                .useMqttVersion5()
                .buildBlocking();
        overWebSocket.connect();
        exchange(overWebSocket, "wss/hivemq");
        overWebSocket.disconnect();
    }

    @Test
    void pahoClientsPublishAndReceive() throws Exception {
        for (String url : List.of("ssl://localhost:" + tlsPort(), "wss://localhost:" + port("wss", 0) + "/mqtt")) {
            try (org.eclipse.paho.client.mqttv3.MqttClient paho3 = new org.eclipse.paho.client.mqttv3.MqttClient(
                    url, Library.newClientId(), new org.eclipse.paho.client.mqttv3.persist.MemoryPersistence())) {
                MqttConnectOptions options = new MqttConnectOptions();
                options.setSocketFactory(context(null).getSocketFactory());
                paho3.connect(options);
                AtomicInteger received = new AtomicInteger();
                paho3.subscribe("paho3/" + paho3.getClientId(), 1, (_, _) -> received.incrementAndGet());
                paho3.publish("paho3/" + paho3.getClientId(), "hello".getBytes(UTF_8), 1, false);
                Soon.until(() -> received.get() == 1);
                paho3.disconnect();
            }
            org.eclipse.paho.mqttv5.client.MqttClient paho5 = new org.eclipse.paho.mqttv5.client.MqttClient(
                    url, Library.newClientId(), new org.eclipse.paho.mqttv5.client.persist.MemoryPersistence());
            MqttConnectionOptions options = new MqttConnectionOptions();
            options.setSocketFactory(context(null).getSocketFactory());
            paho5.connect(options);
            paho5.publish("paho5", "hello".getBytes(UTF_8), 1, false);
            paho5.disconnect();
            paho5.close();
        }
    }

    @Test
    void mosquittoClientsPublishAndReceive() throws Exception {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/mosquitto_sub")),
                "mosquitto_sub is missing: install the package mosquitto-clients");
        List<String> plain = List.of("-h", "localhost", "-p", Integer.toString(tlsPort()));
        List<String> strict = List.of(
                "-h",
                "localhost",
                "-p",
                Integer.toString(strictPort()),
                "--cert",
                file("client.pem").toString(),
                "--key",
                file("client-key.pem").toString());
        for (List<String> options : List.of(plain, strict)) {
            try (LibraryClient publisher = Library.HIVEMQ_5.connected(broker.mqttPort())) {
                publisher.publish("mosquitto/retained", "hello", 1, true);
            }

            Process subscriber = mosquitto("mosquitto_sub", options, "-t", "mosquitto/#", "-C", "1", "-W", "60");

            assertThat(subscriber.waitFor(90, TimeUnit.SECONDS)).isTrue();
            assertThat(new String(subscriber.getInputStream().readAllBytes(), UTF_8))
                    .isEqualTo("hello\n");
        }
        Process refused = mosquitto(
                "mosquitto_sub",
                List.of("-h", "localhost", "-p", Integer.toString(strictPort())),
                "-t",
                "mosquitto/#",
                "-C",
                "1",
                "-W",
                "5");
        assertThat(refused.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(refused.exitValue()).isNotZero();
    }

    private static Process mosquitto(String program, List<String> options, String... further) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(program, "--cafile", file("ca.pem").toString()));
        command.addAll(options);
        command.addAll(List.of(further));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @Test
    void aClientNeedsTheRequiredCertificate() throws Exception {
        double before = broker.count("heddle.tls.handshake.failures", "reason", "no_certificate");
        Mqtt5BlockingClient without = hiveMq(strictPort()).useMqttVersion5().buildBlocking();

        assertThatThrownBy(without::connect).isInstanceOf(RuntimeException.class);

        Soon.until(() -> broker.count("heddle.tls.handshake.failures", "reason", "no_certificate") == before + 1);
        Mqtt5BlockingClient with = MqttClient.builder()
                .identifier(Library.newClientId())
                .serverHost(HOST)
                .serverPort(strictPort())
                .sslConfig()
                .trustManagerFactory(trust())
                .keyManagerFactory(key())
                .applySslConfig()
                .useMqttVersion5()
                .buildBlocking();
        with.connect();
        exchange(with, "strict/hivemq");
        with.disconnect();
    }

    @Test
    void clientsStayConnectedWhileCertificatesAreReplaced() throws Exception {
        AtomicInteger disconnects = new AtomicInteger();
        Mqtt5BlockingClient publisher = hiveMq(tlsPort())
                .addDisconnectedListener(_ -> disconnects.incrementAndGet())
                .useMqttVersion5()
                .buildBlocking();
        publisher.connect();
        int port = tlsPort();

        for (int i = 0; i < RELOADS; i++) {
            String name = "reload-" + i;
            replaceServerCertificate(name);
            Soon.until(() -> {
                publisher
                        .publishWith()
                        .topic("reload")
                        .qos(MqttQos.AT_LEAST_ONCE)
                        .payload(name.getBytes(UTF_8))
                        .send();
                return subject(port).equals("CN=" + name + ".example.org");
            });
        }

        assertThat(disconnects).hasValue(0);
        assertThat(publisher.getState().isConnected()).isTrue();
        publisher.disconnect();
    }

    /** Returns the subject of the certificate that a new connection gets. */
    private String subject(int port) {
        try (SSLSocket socket = (SSLSocket) context(null).getSocketFactory().createSocket(HOST, port)) {
            socket.startHandshake();
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}

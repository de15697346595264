package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.transport.connection.ListenerKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Real load balancers in front of the listeners, and clients whose address the broker must know. Load balancers that are not on this machine
 * are skipped.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoadBalancersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Logger CONNECTS = (Logger) LoggerFactory.getLogger("io.heddle.core.session.ConnectAttempt");
    private static final String LOOPBACK = ListenerAddress.HOST;
    /** The address of the clients, which is not that of the load balancers. */
    private static final String CLIENT = "127.0.0.77";

    private static final int LARGE = 100_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private TrialTls tls;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private RestAdministrator administrator;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeAll
    void startBroker() throws IOException {
        tls = new TrialTls(directory);
        List<String> settings = new ArrayList<>(tls.settings());
        settings.add("--heddle.authentication.anonymous.enabled=true");
        int index = 0;
        for (ListenerKind kind : ListenerKind.values()) {
            settings.addAll(proxied(index++, "proxied-" + kind.tag(), kind));
        }
        settings.addAll(proxied(index++, "proxied-direct", ListenerKind.TCP));
        settings.addAll(listener(index, "forwarded-ws", ListenerKind.WS));
        broker = BrokerUnderTest.start(settings.toArray(String[]::new));
        administrator = new RestAdministrator(broker);
        // After the start, which sets the log up.
        CONNECTS.setLevel(Level.DEBUG);
        log.start();
        CONNECTS.addAppender(log);
    }

    private static List<String> proxied(int index, String name, ListenerKind kind) {
        List<String> settings = new ArrayList<>(listener(index, name, kind));
        settings.add("--heddle.mqtt.listeners[" + index + "].proxy-protocol=true");
        return settings;
    }

    private static List<String> listener(int index, String name, ListenerKind kind) {
        String prefix = "--heddle.mqtt.listeners[" + index + "].";
        return List.of(
                prefix + "name=" + name,
                prefix + "kind=" + kind.tag(),
                prefix + "port=0",
                prefix + "trusted-proxies=" + LOOPBACK);
    }

    @AfterAll
    void stopBroker() {
        administrator.close();
        broker.close();
        CONNECTS.detachAppender(log);
        CONNECTS.setLevel(null);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral(LOOPBACK))) {
            return free.getLocalPort();
        }
    }

    private int proxiedPort() {
        return broker.listeners("tcp").get(1).getPort();
    }

    private static void assumeHaProxy() {
        assumeTrue(OtherProgram.isOnPath("haproxy"), "haproxy is not on the PATH: apt-get install haproxy");
    }

    /** Starts HAProxy in front of a port. Both parameters are added to the lines that bind the front and name the server. */
    private static OtherProgram haProxy(int front, String bindOptions, int port, String serverOptions)
            throws IOException {
        Path configuration = Files.writeString(
                directory.resolve("haproxy.cfg"), """
                defaults
                  mode tcp
                  timeout connect 10s
                  timeout client 60s
                  timeout server 60s
                frontend mqtt
                  bind 127.0.0.1:%d %s
                  default_backend brokers
                backend brokers
                  server heddle 127.0.0.1:%d send-proxy-v2 %s
                """.formatted(front, bindOptions, port, serverOptions));
        OtherProgram haProxy = OtherProgram.start("haproxy", "-db", "-f", configuration.toString());
        awaitListening(haProxy, front);
        return haProxy;
    }

    @Test
    void haProxySendsTheAddressesOfClientsAndChecksTheHealthWithoutAWarning() throws Exception {
        assumeHaProxy();
        int front = freePort();
        double opened = broker.count("heddle.listener.opened", "listener", "proxied-tcp");
        try (OtherProgram _ = haProxy(front, "", proxiedPort(), "check inter 100ms")) {
            assertClientIsKnown(ListenerKind.TCP, front, "proxied-tcp");

            // Several health checks.
            await().atMost(PATIENCE)
                    .until(() -> broker.count("heddle.listener.opened", "listener", "proxied-tcp") > opened + 5);
        }
        assertNoFaults("proxied-tcp");
    }

    @Test
    void haProxyPassesOnTlsThatTheBrokerTerminates() throws Exception {
        assumeHaProxy();
        for (ListenerKind kind : List.of(ListenerKind.TLS, ListenerKind.WSS)) {
            String listener = "proxied-" + kind.tag();
            int front = freePort();
            int port = broker.listener(kind.scheme()).getPort();
            double opened = broker.count("heddle.listener.opened", "listener", listener);
            try (OtherProgram _ = haProxy(front, "", port, "check inter 100ms")) {
                assertClientIsKnown(kind, front, listener);

                await().atMost(PATIENCE)
                        .until(() -> broker.count("heddle.listener.opened", "listener", listener) > opened + 5);
            }
            assertNoFaults(listener);
        }
    }

    @Test
    void haProxyTerminatesTlsInFrontOfPlainListeners() throws Exception {
        assumeHaProxy();
        String certificate = "ssl crt " + tls.certificateWithKey();
        int front = freePort();
        try (OtherProgram _ = haProxy(front, certificate, proxiedPort(), "")) {
            assertClientIsKnown(ListenerKind.TLS, front, "proxied-tcp");
        }
        int webFront = freePort();
        try (OtherProgram _ =
                haProxy(webFront, certificate, broker.listener("ws").getPort(), "")) {
            assertClientIsKnown(ListenerKind.WSS, webFront, "proxied-ws");
        }
        assertNoFaults("proxied-tcp");
        assertNoFaults("proxied-ws");
    }

    /** The broker closes connections of proxies without a warning, but counts every other refusal. */
    private void assertNoFaults(String listener) {
        for (String reason : List.of("proxy_header", "untrusted_proxy", "foreign_protocol", "http_request")) {
            assertThat(broker.count("heddle.listener.refused", "listener", listener, "reason", reason))
                    .as(reason)
                    .isZero();
        }
        assertThat(broker.count("heddle.transport.faults")).isZero();
    }

    @Test
    void nginxPassesOnWebSocketWithTheAddressOfTheClient() throws Exception {
        assumeTrue(OtherProgram.isOnPath("nginx"), "nginx is not on the PATH: apt-get install nginx-light");
        int plain = freePort();
        int encrypted = freePort();
        Path configuration = Files.writeString(directory.resolve("nginx.conf"), """
                daemon off;
                pid %1$s/nginx.pid;
                error_log stderr;
                events {}
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  server {
                    listen 127.0.0.1:%2$d;
                    listen 127.0.0.1:%3$d ssl;
                    ssl_certificate %5$s;
                    ssl_certificate_key %6$s;
                    location /mqtt {
                      proxy_pass http://127.0.0.1:%4$d;
                      proxy_http_version 1.1;
                      proxy_set_header Upgrade $http_upgrade;
                      proxy_set_header Connection "upgrade";
                      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                      proxy_read_timeout 60s;
                    }
                  }
                }
                """.formatted(
                        directory,
                        plain,
                        encrypted,
                        broker.listeners("ws").getLast().getPort(),
                        tls.certificateFile(),
                        tls.keyFile()));
        try (OtherProgram nginx =
                OtherProgram.start("nginx", "-p", directory.toString(), "-c", configuration.toString())) {
            awaitListening(nginx, plain);
            awaitListening(nginx, encrypted);
            assertClientIsKnown(ListenerKind.WS, plain, "forwarded-ws");
            assertClientIsKnown(ListenerKind.WSS, encrypted, "forwarded-ws");
        }
        assertNoFaults("forwarded-ws");
    }

    private static void awaitListening(OtherProgram program, int port) {
        await().atMost(PATIENCE).until(() -> {
            assertThat(program.isRunning()).as(program.output()).isTrue();
            try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return true;
            } catch (IOException _) {
                return false;
            }
        });
    }

    /**
     * Connects a client with an address of its own through a load balancer, exchanges a message, and asserts that the list of clients and the
     * log have its address.
     */
    private void assertClientIsKnown(ListenerKind kind, int front, String listener) throws Exception {
        String clientId = Library.newClientId();
        Mqtt5BlockingClient client = new ListenerAddress(kind, front, tls)
                .hiveMq(clientId)
                .transportConfig()
                .localAddress(CLIENT)
                .applyTransportConfig()
                .useMqttVersion5()
                .buildBlocking();
        // HAProxy refuses connections until its first check of the health has succeeded.
        await().atMost(PATIENCE).ignoreExceptions().until(() -> client.connect() != null);
        exchange(client, "balanced/" + clientId);

        JsonNode items =
                administrator.get("/api/v1/clients?clientId=" + clientId).path("items");
        assertThat(items.size()).isEqualTo(1);
        assertThat(items.get(0).path("address").asString()).startsWith(CLIENT + ":");
        assertThat(items.get(0).path("listener").asString()).isEqualTo(listener);
        assertAddressInLog(clientId);
        HiveMqGoodbye.disconnect(client);
    }

    private static void exchange(Mqtt5BlockingClient client, String topic) throws InterruptedException {
        try (Mqtt5BlockingClient.Mqtt5Publishes messages = client.publishes(MqttGlobalPublishFilter.ALL)) {
            client.subscribeWith().topicFilter(topic).qos(MqttQos.AT_LEAST_ONCE).send();
            client.publishWith()
                    .topic(topic)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload(new byte[LARGE])
                    .send();
            assertThat(messages.receive(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .orElseThrow()
                            .getPayloadAsBytes())
                    .hasSize(LARGE);
        }
    }

    private void assertAddressInLog(String clientId) {
        String connected = "Client connected: clientId=" + clientId;
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(List.copyOf(log.list))
                        .map(ILoggingEvent::getFormattedMessage)
                        .filteredOn(line -> line.startsWith(connected))
                        .singleElement()
                        .asString()
                        .contains("address=/" + CLIENT + ":"));
    }
}

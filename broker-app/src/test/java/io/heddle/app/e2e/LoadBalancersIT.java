package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.paho.client.mqttv3.MqttClient;
import org.eclipse.paho.client.mqttv3.persist.MemoryPersistence;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Real load balancers in front of the listeners. Those that are not on this machine are skipped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoadBalancersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Logger CONNECTS = (Logger) LoggerFactory.getLogger("io.heddle.core.session.ConnectAttempt");
    private static final String LOOPBACK = "127.0.0.1";
    private static final String PROXIED = "heddle.mqtt.listeners[0].";
    private static final String WEB = "heddle.mqtt.listeners[1].";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeAll
    void startBroker() {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--" + PROXIED + "name=proxied",
                "--" + PROXIED + "port=0",
                "--" + PROXIED + "proxy-protocol=true",
                "--" + PROXIED + "trusted-proxies=127.0.0.1",
                "--" + WEB + "kind=ws",
                "--" + WEB + "port=0",
                "--" + WEB + "trusted-proxies=127.0.0.1");
        // After the start, which sets the log up.
        CONNECTS.setLevel(Level.DEBUG);
        log.start();
        CONNECTS.addAppender(log);
    }

    @AfterAll
    void stopBroker() {
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
        return broker.listeners("tcp").getLast().getPort();
    }

    @Test
    void haProxySendsTheAddressesOfClientsAndChecksTheHealthWithoutAWarning() throws Exception {
        assumeTrue(OtherProgram.isOnPath("haproxy"), "haproxy is not on the PATH: apt-get install haproxy");
        int front = freePort();
        Path configuration = Files.writeString(directory.resolve("haproxy.cfg"), """
                defaults
                  mode tcp
                  timeout connect 10s
                  timeout client 60s
                  timeout server 60s
                frontend mqtt
                  bind 127.0.0.1:%d
                  default_backend brokers
                backend brokers
                  server heddle 127.0.0.1:%d send-proxy-v2 check inter 100ms
                """.formatted(front, proxiedPort()));
        double opened = broker.count("heddle.listener.opened", "listener", "proxied");
        try (OtherProgram haProxy = OtherProgram.start("haproxy", "-db", "-f", configuration.toString())) {
            awaitListening(haProxy, front);
            exchange("tcp://127.0.0.1:" + front);
            awaitAddressInLog("127.0.0.77", front);

            // Several health checks.
            await().atMost(PATIENCE)
                    .until(() -> broker.count("heddle.listener.opened", "listener", "proxied") > opened + 5);
        }
        assertThat(broker.count("heddle.listener.refused", "listener", "proxied", "reason", "proxy_header"))
                .isZero();
        assertThat(broker.count("heddle.listener.refused", "listener", "proxied", "reason", "untrusted_proxy"))
                .isZero();
        assertThat(broker.count("heddle.transport.faults")).isZero();
    }

    @Test
    void aClientWithoutAHeaderIsRefusedAtOnce() throws Exception {
        double before = broker.count("heddle.listener.refused", "listener", "proxied", "reason", "proxy_header");
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxiedPort())) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            client.getOutputStream().write(connect("direct"));
            assertThat(endOf(client)).isZero();
        }
        assertThat(broker.count("heddle.listener.refused", "listener", "proxied", "reason", "proxy_header"))
                .isEqualTo(before + 1);
    }

    /** Returns the number of bytes until the end or the reset of the connection. */
    private static int endOf(Socket client) {
        try {
            return client.getInputStream().readAllBytes().length;
        } catch (IOException _) {
            return 0;
        }
    }

    @Test
    void nginxPassesOnWebSocketWithTheAddressOfTheClient() throws Exception {
        assumeTrue(OtherProgram.isOnPath("nginx"), "nginx is not on the PATH: apt-get install nginx-light");
        int front = freePort();
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
                    location /mqtt {
                      proxy_pass http://127.0.0.1:%3$d;
                      proxy_http_version 1.1;
                      proxy_set_header Upgrade $http_upgrade;
                      proxy_set_header Connection "upgrade";
                      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                      proxy_read_timeout 60s;
                    }
                  }
                }
                """.formatted(
                        directory, front, broker.listener("ws").getPort()));
        try (OtherProgram nginx =
                OtherProgram.start("nginx", "-p", directory.toString(), "-c", configuration.toString())) {
            awaitListening(nginx, front);
            exchange("ws://127.0.0.1:" + front + "/mqtt");
        }
        assertThat(broker.count("heddle.transport.faults")).isZero();
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

    private static void exchange(String url) throws Exception {
        Queue<String> got = new ConcurrentLinkedQueue<>();
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(() -> {
            try (MqttClient client = new MqttClient(url, Library.newClientId(), new MemoryPersistence())) {
                client.connect();
                client.subscribe("balanced", 1, (_, message) -> got.add(new String(message.getPayload(), UTF_8)));
                client.publish("balanced", "hello".getBytes(UTF_8), 1, false);
                await().atMost(PATIENCE).until(() -> got.contains("hello"));
                client.disconnect();
            }
        });
    }

    /** Connects a client with an address of its own on loopback, and waits until the broker has logged it. */
    private void awaitAddressInLog(String address, int port) throws Exception {
        String clientId = Library.newClientId();
        try (Socket client = new Socket()) {
            client.setSoTimeout((int) PATIENCE.toMillis());
            client.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
            client.connect(new InetSocketAddress(InetAddress.ofLiteral(LOOPBACK), port));
            client.getOutputStream().write(connect(clientId));
            assertThat(client.getInputStream().readNBytes(4)).startsWith(0x20, 2, 0, 0);
            String connected = "Client connected: clientId=" + clientId;
            await().atMost(PATIENCE)
                    .until(
                            () -> List.copyOf(log.list).stream()
                                    .map(ILoggingEvent::getFormattedMessage)
                                    .filter(line -> line.startsWith(connected))
                                    .findFirst()
                                    .map(line -> line.contains("address=/" + address + ":")),
                            Optional.of(true)::equals);
        }
    }

    /** Returns a CONNECT of MQTT 3.1.1. */
    private static byte[] connect(String clientId) {
        byte[] id = clientId.getBytes(UTF_8);
        byte[] packet = new byte[14 + id.length];
        byte[] head = {0x10, (byte) (12 + id.length), 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, (byte) id.length};
        System.arraycopy(head, 0, packet, 0, head.length);
        System.arraycopy(id, 0, packet, head.length, id.length);
        return packet;
    }
}

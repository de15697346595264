package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.GradualClose;
import io.heddle.transport.connection.NettyEventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests start, admission and stop of a server. */
class MqttServerTest {
    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    @Test
    void stopSendsTheReasonAndRefusesNewClients() throws Exception {
        MqttServer server = servers.start(ServerFixture.settings(ConnectionLimits.DEFAULTS, Duration.ofMinutes(1)));
        InetSocketAddress address = ServerFixture.address(server);
        LoopbackClient newer = servers.client(server).send(GoldenPackets.connect(MqttVersion.V5));
        LoopbackClient older = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(newer.read(5)).isEqualTo(ServerFixture.CONNACK_5);
        assertThat(older.read(4)).isEqualTo(ServerFixture.CONNACK_3);
        CompletableFuture<String> newerHeard = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().name("reader").start(() -> newerHeard.complete(endOf(newer)));
        Thread other = Thread.ofPlatform().name("other-reader").start(() -> endOf(older));

        server.stop();

        assertThat(newerHeard.get(60, TimeUnit.SECONDS)).startsWith("e0").contains("8b");
        reader.join();
        other.join();
        assertThat(server.connectionCount()).isZero();
        assertThat(server.boundAddresses()).isEmpty();
        assertThat(servers.sessions().attempts()).allMatch(attempt -> attempt.lostCount() == 1);
        assertThat(servers.count("heddle.connections.closed")).isEqualTo(2);
        assertThatThrownBy(() -> new LoopbackClient(address)).isInstanceOf(IOException.class);
    }

    @Test
    void aDrainClosesAFewConnectionsAtATimeAndNamesAnotherServer() throws Exception {
        MqttServer server = servers.start(ServerFixture.settings());
        InetSocketAddress address = ServerFixture.address(server);
        LoopbackClient newer = servers.client(server).send(GoldenPackets.connect(MqttVersion.V5));
        LoopbackClient older = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(newer.read(5)).isEqualTo(ServerFixture.CONNACK_5);
        assertThat(older.read(4)).isEqualTo(ServerFixture.CONNACK_3);

        GradualClose drain = server.drain(() -> "b:1883");

        assertThatThrownBy(() -> new LoopbackClient(address)).isInstanceOf(IOException.class);
        assertThat(server.connectionCount()).isEqualTo(2);
        assertThat(drain.next(1)).isEqualTo(1);
        assertThat(drain.next(5)).isEqualTo(1);
        assertThat(drain.next(5)).isZero();
        // DISCONNECT, Use another server; Server Reference b:1883.
        assertThat(endOf(newer)).startsWith("e0").contains("9c").contains("1c0006623a31383833");
        assertThat(endOf(older)).isEmpty();
        await().until(() -> server.connectionCount() == 0);
        server.stop();
    }

    @Test
    void stopDoesNotWaitForeverForConnectedClients() throws IOException, InterruptedException {
        MqttServer server = servers.start(new ServerSettings(
                List.of(Listener.tcp("mqtt", ServerFixture.HOST, 0)),
                16,
                10,
                Duration.ofSeconds(10),
                Duration.ofMillis(100),
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                new ConnectionLimits(1024, 1024, 1024, 1024, 256, Duration.ofMinutes(5))));
        LoopbackClient client = servers.client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(ServerFixture.CONNACK_5);

        server.stop();

        assertThat(server.connectionCount()).isZero();
    }

    @Test
    void connectionsAboveTheMaximumAreClosedAndCounted() throws IOException {
        MqttServer server = servers.start(new ServerSettings(
                List.of(Listener.tcp("mqtt", ServerFixture.HOST, 0)),
                16,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                ConnectionLimits.DEFAULTS));
        LoopbackClient first = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(first.read(4)).isEqualTo(ServerFixture.CONNACK_3);

        assertThat(servers.client(server).readToEnd()).isEmpty();
        assertThat(servers.count("heddle.connections.refused", "reason", "maximum_connections"))
                .isEqualTo(1);

        first.close();
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(servers.client(server)
                        .send(GoldenPackets.connect(MqttVersion.V3_1_1))
                        .read(4))
                .isEqualTo(ServerFixture.CONNACK_3);
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void clientsThatConnectDuringTheStartAreServedAfterIt(Transport transport) throws Exception {
        MqttServer server = servers.server(ServerFixture.settings(), transport);
        server.start(_ -> false);
        try {
            LoopbackClient early = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
            assertThat(server.connectionCount()).isZero();

            server.acceptAll();

            assertThat(early.read(4)).isEqualTo(ServerFixture.CONNACK_3);
        } finally {
            server.stop();
        }
    }

    @Test
    void onlySelectedAddressesAreAdmittedBeforeTheStartIsComplete() throws IOException {
        MqttServer server = servers.start(ServerFixture.settings());
        server.admitOnly(_ -> false);
        assertThat(servers.client(server).readToEnd()).isEmpty();
        assertThat(servers.count("heddle.connections.refused", "reason", "starting"))
                .isEqualTo(1);
        assertThat(server.connectionCount()).isZero();

        server.admitOnly(_ -> true);

        assertThat(servers.client(server)
                        .send(GoldenPackets.connect(MqttVersion.V3_1_1))
                        .read(4))
                .isEqualTo(ServerFixture.CONNACK_3);
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void portInUseIsReportedInOneSentence(Transport transport) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            ServerSettings settings = ServerFixture.settings(Listener.tcp("mqtt", ServerFixture.HOST, port));

            assertThatThrownBy(() -> servers.start(settings, transport))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining(String.valueOf(port))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("heddle.mqtt.port")
                    .hasMessageContaining("--mqtt-port");
        }
    }

    @Test
    void addressOfAnotherMachineIsReportedInOneSentence() {
        // TEST-NET-1 belongs to no machine (RFC 5737).
        assertThatThrownBy(() -> servers.start(ServerFixture.settings(Listener.tcp("mqtt", "192.0.2.1", 0))))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("--bind");
    }

    @Test
    void failingListenerClosesAllOthers() throws IOException {
        Listener free = Listener.tcp("one", ServerFixture.HOST, 0);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Listener taken = Listener.tcp("two", ServerFixture.HOST, other.getLocalPort());
            MqttServer server = servers.server(
                    new ServerSettings(
                            List.of(free, taken),
                            16,
                            10,
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(1),
                            PacketLimits.DEFAULTS,
                            1 << 20,
                            1 << 20,
                            ConnectionLimits.DEFAULTS),
                    Transport.AUTO);

            assertThatThrownBy(() -> server.start(_ -> true)).hasMessageContaining("'two'");
            assertThat(server.boundAddresses()).isEmpty();
        }
    }

    @Test
    void eventLoopsAndTheirThreadsHaveTheSameNumbers() throws InterruptedException {
        try (EventLoops loops = new EventLoops(Transport.AUTO, 3)) {
            CountDownLatch ran = new CountDownLatch(3);
            List<String> names = new ArrayList<>(List.of("", "", ""));
            for (NettyEventLoop loop : loops.all()) {
                assertThat(loop.isCurrent()).isFalse();
                assertThatThrownBy(loop::assertCurrent).isInstanceOf(IllegalStateException.class);
                loop.execute(() -> {
                    loop.assertCurrent();
                    synchronized (names) {
                        names.set(loop.index(), Thread.currentThread().getName());
                    }
                    ran.countDown();
                });
            }
            assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
            synchronized (names) {
                assertThat(names).containsExactly("heddle-loop-0", "heddle-loop-1", "heddle-loop-2");
            }
        }
    }

    private static String endOf(LoopbackClient client) {
        try {
            String heard = client.readToEnd();
            client.close();
            return heard;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.Connection;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.testkit.RecordingSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MqttServerTest {
    private static final String HOST = "127.0.0.1";
    private static final String CONNACK_3 = "20020000";
    private static final String CONNACK_5 = "2003000000";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecordingSessions sessions = new RecordingSessions();
    private final List<AutoCloseable> resources = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : resources.reversed()) {
            resource.close();
        }
    }

    static Stream<Transport> transports() {
        return Stream.of(Transport.NIO, Transport.EPOLL, Transport.IO_URING).filter(transport -> switch (transport) {
            case AUTO, NIO -> true;
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
        });
    }

    @ParameterizedTest
    @MethodSource("transports")
    void clientsOfEachVersionAreServedOnEachTransport(Transport transport) throws IOException {
        sessions.thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        MqttServer server = start(settings(), transport);
        for (MqttVersion version : MqttVersion.values()) {
            LoopbackClient client = client(server).send(GoldenPackets.connect(version));
            assertThat(client.read(version == MqttVersion.V5 ? 5 : 4))
                    .isEqualTo(version == MqttVersion.V5 ? CONNACK_5 : CONNACK_3);
            assertThat(client.send("C000").read(2)).isEqualTo("d000");
        }
        assertThat(server.connectionCount()).isEqualTo(3);
        assertThat(registry.get("heddle.connections").gauge().value()).isEqualTo(3);
    }

    @Test
    void packetsBehindConnectAreHandledInOrderOnceTheSessionExists() throws IOException {
        sessions.thatWait();
        MqttServer server = start(settings());
        LoopbackClient client = client(server);
        client.send("10 { <MQTT> 04 02 000A <c> } 30 { <a> '1' } 30 { <a> '2' } C000");
        await().until(() -> sessions.attempts().size() == 1);
        client.send("30 { <a> '3' }");
        RecordingSessions.Attempt attempt = sessions.only();
        assertThat(attempt.received()).isEmpty();

        attempt.connection().eventLoop().execute(attempt::accept);

        assertThat(client.read(4)).isEqualTo(CONNACK_3);
        await().until(() -> attempt.received().size() == 4);
        assertThat(attempt.received().stream().map(MqttServerTest::payload)).containsExactly("1", "2", "none", "3");
    }

    @Test
    void aClientThatSendsNoConnectIsClosed() throws IOException {
        MqttServer server = start(new ServerSettings(
                List.of(Listener.tcp(HOST, 0)),
                16,
                10,
                Duration.ofMillis(50),
                Duration.ofSeconds(1),
                PacketLimits.DEFAULTS,
                ConnectionLimits.DEFAULTS));

        assertThat(client(server).send("10 0F 00").readToEnd()).isEmpty();

        await().until(() -> count("heddle.connect.timeouts") == 1);
        await().until(() -> server.connectionCount() == 0);
    }

    @Test
    void httpOnThePortIsClosedWithoutAnAnswer() throws IOException {
        MqttServer server = start(settings());

        assertThat(client(server)
                        .send("'GET / HTTP/1.1' 0D0A 'Host: x' 0D0A 0D0A")
                        .readToEnd())
                .isEmpty();

        assertThat(count("heddle.protocol.errors", "reason", "protocol_error")).isEqualTo(1);
        assertThat(sessions.attempts()).isEmpty();
    }

    @Test
    void anOversizePacketIsAnsweredAlthoughTheClientIsStillSendingIt() throws IOException {
        MqttServer server = start(settings());
        LoopbackClient client = client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(CONNACK_5);
        client.send("30 FF FF FF 7F 0001 61 00").send(new byte[300_000]);

        assertThat(client.readToEnd()).startsWith("e0").contains("95");
        await().until(() -> sessions.only().lostCount() == 1);
        assertThat(count("heddle.protocol.errors", "reason", "packet_too_large"))
                .isEqualTo(1);
    }

    @Test
    void manySmallPacketsAreAnsweredInFewWrites() throws IOException {
        sessions.thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        MqttServer server = start(settings());
        LoopbackClient client = client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(client.read(4)).isEqualTo(CONNACK_3);
        byte[] pings = new byte[2000];
        for (int i = 0; i < pings.length; i += 2) {
            pings[i] = (byte) 0xC0;
        }
        double before = count("heddle.writes");

        client.send(pings);

        assertThat(client.read(2000)).isEqualTo("d000".repeat(1000));
        // One for each piece that the system split the client's bytes into.
        assertThat(count("heddle.writes") - before).isBetween(1.0, 20.0);
    }

    @Test
    void aClientThatDoesNotReadIsBounded() throws IOException, InterruptedException {
        ConnectionLimits limits = new ConnectionLimits(16 * 1024, 32 * 1024, 128 * 1024, Duration.ofMillis(200));
        MqttServer server = start(settings(limits));
        LoopbackClient client = new LoopbackClient(address(server), 4096);
        resources.add(client);
        client.send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(CONNACK_5);
        RecordingSessions.Attempt session = sessions.only();

        // Less than the limit in each turn; the system's buffers take some megabytes before it is reached.
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> onLoop(session, connection -> {
                    boolean sent = true;
                    for (int i = 0; i < 10 && sent; i++) {
                        sent = connection.send(message(8000));
                    }
                    if (sent) {
                        return false;
                    }
                    assertThat(connection.isWritable()).isFalse();
                    assertThat(connection.isOpen()).isTrue();
                    assertThat(connection.send(PingRespPacket.INSTANCE)).isFalse();
                    assertThat(connection.isOpen()).isFalse();
                    return true;
                }));
        assertThat(count("heddle.packets.unsent", "reason", "slow_consumer")).isEqualTo(1);
        await().until(() -> session.lostCount() == 1);
        assertThat(count("heddle.connections.overflowed")).isEqualTo(1);
        await().until(() -> server.connectionCount() == 0);
    }

    @Test
    void closingAClientThatDoesNotReadTakesABoundedTime() throws IOException, InterruptedException {
        MqttServer server =
                start(settings(new ConnectionLimits(1024, 32 * 1024, 64 * 1024 * 1024, Duration.ofMillis(200))));
        LoopbackClient client = new LoopbackClient(address(server), 4096);
        resources.add(client);
        client.send(GoldenPackets.connect(MqttVersion.V5)).read(5);
        RecordingSessions.Attempt session = sessions.only();

        onLoop(session, connection -> {
            for (int i = 0; i < 40; i++) {
                connection.send(message(500_000));
            }
            connection.close();
            return true;
        });

        await().until(() -> server.connectionCount() == 0);
        assertThat(session.lostCount()).isEqualTo(1);
    }

    @Test
    void aSessionDoesNotWaitForTheClientToCloseItsSide() throws IOException {
        ConnectionLimits patient = new ConnectionLimits(1024, 1024, 1024, Duration.ofMinutes(5));
        MqttServer server = start(settings(patient));
        LoopbackClient client = client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(CONNACK_5);
        RecordingSessions.Attempt session = sessions.only();

        session.connection().eventLoop().execute(session.connection()::close);

        await().until(() -> session.lostCount() == 1);
        assertThat(server.connectionCount()).isEqualTo(1);
        assertThat(client.readToEnd()).isEmpty();
        client.close();
        await().until(() -> server.connectionCount() == 0);
        assertThat(session.lostCount()).isEqualTo(1);
    }

    @Test
    void stopTellsClientsWhyAndRefusesNewOnes() throws Exception {
        MqttServer server = start(settings());
        InetSocketAddress address = address(server);
        LoopbackClient newer = client(server).send(GoldenPackets.connect(MqttVersion.V5));
        LoopbackClient older = client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(newer.read(5)).isEqualTo(CONNACK_5);
        assertThat(older.read(4)).isEqualTo(CONNACK_3);
        CompletableFuture<String> newerHeard = new CompletableFuture<>();
        Thread reader = Thread.ofPlatform().name("reader").start(() -> newerHeard.complete(endOf(newer)));
        Thread other = Thread.ofPlatform().name("other-reader").start(() -> endOf(older));

        server.stop();

        assertThat(newerHeard.get(5, TimeUnit.SECONDS)).startsWith("e0").contains("8b");
        reader.join();
        other.join();
        assertThat(server.connectionCount()).isZero();
        assertThat(server.boundAddresses()).isEmpty();
        assertThat(sessions.attempts()).allMatch(attempt -> attempt.lostCount() == 1);
        assertThat(count("heddle.connections.closed")).isEqualTo(2);
        assertThatThrownBy(() -> new LoopbackClient(address)).isInstanceOf(IOException.class);
    }

    @Test
    void stopDoesNotWaitForeverForClientsThatStay() throws IOException, InterruptedException {
        MqttServer server = start(new ServerSettings(
                List.of(Listener.tcp(HOST, 0)),
                16,
                10,
                Duration.ofSeconds(10),
                Duration.ofMillis(100),
                PacketLimits.DEFAULTS,
                new ConnectionLimits(1024, 1024, 1024, Duration.ofMinutes(5))));
        LoopbackClient client = client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(CONNACK_5);

        server.stop();

        assertThat(server.connectionCount()).isZero();
    }

    @Test
    void connectionsAboveTheMaximumAreClosedAndCounted() throws IOException {
        MqttServer server = start(new ServerSettings(
                List.of(Listener.tcp(HOST, 0)),
                16,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                PacketLimits.DEFAULTS,
                ConnectionLimits.DEFAULTS));
        LoopbackClient first = client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(first.read(4)).isEqualTo(CONNACK_3);

        assertThat(client(server).readToEnd()).isEmpty();
        assertThat(count("heddle.connections.refused", "reason", "maximum_connections"))
                .isEqualTo(1);

        first.close();
        await().until(() -> server.connectionCount() == 0);
        assertThat(client(server)
                        .send(GoldenPackets.connect(MqttVersion.V3_1_1))
                        .read(4))
                .isEqualTo(CONNACK_3);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void aPortInUseIsOneSentence(Transport transport) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = other.getLocalPort();
            ServerSettings settings = ServerSettings.of(Listener.tcp(HOST, port));

            assertThatThrownBy(() -> start(settings, transport))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining(String.valueOf(port))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("heddle.mqtt.port")
                    .hasMessageContaining("--mqtt-port");
        }
    }

    @Test
    void anAddressOfAnotherMachineIsOneSentence() {
        // TEST-NET-1 belongs to no machine (RFC 5737).
        assertThatThrownBy(() -> start(ServerSettings.of(Listener.tcp("192.0.2.1", 0))))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("192.0.2.1")
                .hasMessageContaining("--bind");
    }

    @Test
    void whenOneListenerFailsNoneIsKept() throws IOException {
        Listener free = new Listener("one", HOST, 0, Listener.Kind.TCP);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Listener taken = new Listener("two", HOST, other.getLocalPort(), Listener.Kind.TCP);
            MqttServer server = server(
                    new ServerSettings(
                            List.of(free, taken),
                            16,
                            10,
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(1),
                            PacketLimits.DEFAULTS,
                            ConnectionLimits.DEFAULTS),
                    Transport.AUTO);

            assertThatThrownBy(server::start).hasMessageContaining("'two'");
            assertThat(server.boundAddresses()).isEmpty();
        }
    }

    @Test
    void eventLoopsAreNumberedLikeTheirThreads() throws InterruptedException {
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
            assertThat(ran.await(5, TimeUnit.SECONDS)).isTrue();
            synchronized (names) {
                assertThat(names).containsExactly("heddle-loop-0", "heddle-loop-1", "heddle-loop-2");
            }
        }
    }

    private MqttServer start(ServerSettings settings) {
        return start(settings, Transport.AUTO);
    }

    private MqttServer start(ServerSettings settings, Transport transport) {
        MqttServer server = server(settings, transport);
        server.start();
        resources.add(server::stop);
        return server;
    }

    private MqttServer server(ServerSettings settings, Transport transport) {
        EventLoops loops = new EventLoops(transport, 1);
        resources.add(loops);
        return new MqttServer(settings, loops, sessions, registry);
    }

    private static ServerSettings settings() {
        return settings(ConnectionLimits.DEFAULTS);
    }

    private static ServerSettings settings(ConnectionLimits connections) {
        return new ServerSettings(
                List.of(Listener.tcp(HOST, 0)),
                16,
                100,
                Duration.ofSeconds(10),
                Duration.ofMillis(500),
                PacketLimits.DEFAULTS,
                connections);
    }

    private static InetSocketAddress address(MqttServer server) {
        return Objects.requireNonNull(server.boundAddresses().get("mqtt"));
    }

    private LoopbackClient client(MqttServer server) throws IOException {
        LoopbackClient client = new LoopbackClient(address(server));
        resources.add(client);
        return client;
    }

    private double count(String meter, String... tags) {
        Counter counter = registry.find(meter).tags(tags).counter();
        return Objects.requireNonNull(counter, meter).count();
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

    /** Something to do with a connection on its event loop. */
    private interface Deed {
        boolean on(Connection connection);
    }

    private static boolean onLoop(RecordingSessions.Attempt session, Deed deed) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        session.connection().eventLoop().execute(() -> {
            try {
                done.complete(deed.on(session.connection()));
            } catch (RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        return done.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static String payload(MqttPacket packet) {
        return packet instanceof PublishPacket publish
                ? new String(publish.payload().array(), java.nio.charset.StandardCharsets.UTF_8)
                : "none";
    }

    private static PublishPacket message(int payloadBytes) {
        return new PublishPacket(
                TopicName.parse("a", 1),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[payloadBytes]));
    }
}

package io.heddle.transport.listener;

import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.testkit.RecordingSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The servers and clients of one test, closed in reverse order. */
final class ServerFixture {
    static final String HOST = "127.0.0.1";
    /** The time limit for steps that may be slow on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    static final String CONNACK_3 = "20020000";
    static final String CONNACK_5 = "2003000000";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RecordingSessions sessions = new RecordingSessions();
    private final List<AutoCloseable> resources = new ArrayList<>();

    void close() throws Exception {
        for (AutoCloseable resource : resources.reversed()) {
            resource.close();
        }
    }

    SimpleMeterRegistry registry() {
        return registry;
    }

    RecordingSessions sessions() {
        return sessions;
    }

    void closeLater(AutoCloseable resource) {
        resources.add(resource);
    }

    MqttServer start(ServerSettings settings) {
        return start(settings, Transport.AUTO);
    }

    MqttServer start(ServerSettings settings, Transport transport) {
        MqttServer server = server(settings, transport);
        server.start(_ -> true);
        resources.add(server::stop);
        return server;
    }

    MqttServer server(ServerSettings settings, Transport transport) {
        EventLoops loops = new EventLoops(transport, 1);
        resources.add(loops);
        return new MqttServer(settings, loops, sessions, new ClientIncidents(System::nanoTime, registry), registry);
    }

    static ServerSettings settings() {
        return settings(ConnectionLimits.DEFAULTS);
    }

    static ServerSettings settings(ConnectionLimits connections) {
        return settings(connections, Duration.ofMillis(500));
    }

    static ServerSettings settings(ConnectionLimits connections, Duration stopTimeout) {
        return new ServerSettings(
                List.of(Listener.tcp("mqtt", HOST, 0)),
                16,
                100,
                Duration.ofSeconds(10),
                stopTimeout,
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                connections);
    }

    /** Returns the broker's defaults for a listener. */
    static ServerSettings settings(Listener listener) {
        return new ServerSettings(
                List.of(listener),
                1024,
                1_000_000,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                PacketLimits.DEFAULTS,
                64 << 20,
                64 << 20,
                ConnectionLimits.DEFAULTS);
    }

    static InetSocketAddress address(MqttServer server) {
        return Objects.requireNonNull(server.boundAddresses().get("mqtt"));
    }

    LoopbackClient client(MqttServer server) throws IOException {
        LoopbackClient client = new LoopbackClient(address(server));
        resources.add(client);
        return client;
    }

    double count(String meter, String... tags) {
        Counter counter = registry.find(meter).tags(tags).counter();
        return Objects.requireNonNull(counter, meter).count();
    }

    /** An action with a connection on its event loop. */
    interface Deed {
        boolean on(Connection connection);
    }

    static boolean onLoop(RecordingSessions.Attempt session, Deed deed) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        session.connection().eventLoop().execute(() -> {
            try {
                done.complete(deed.on(session.connection()));
            } catch (RuntimeException | AssertionError e) {
                done.completeExceptionally(e);
            }
        });
        return done.orTimeout(60, TimeUnit.SECONDS).join();
    }

    static PublishPacket message(int payloadBytes) {
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

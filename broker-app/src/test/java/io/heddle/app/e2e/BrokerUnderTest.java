package io.heddle.app.e2e;

import io.heddle.app.HeddleApplication;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker in this process on the shared test servers, listening on free ports. One test thread. */
final class BrokerUnderTest implements AutoCloseable {
    /** For servers, and for clients of a test, that have to wait for a busy machine. */
    private static final List<String> PATIENCE = List.of(
            "--heddle.kafka.connect-timeout=60s",
            "--heddle.redis.connect-timeout=60s",
            "--heddle.redis.command-timeout=60s",
            "--heddle.postgres.connect-timeout=60s",
            "--heddle.postgres.query-timeout=60s",
            "--heddle.mqtt.connect-timeout=60s",
            "--heddle.mqtt.close-timeout=60s");

    private static final int TURN_SECONDS = 60;

    private final ConfigurableApplicationContext context;
    // Empty until somebody waits for them.
    private List<EventLoop> eventLoops = List.of();

    private BrokerUnderTest(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts a broker with further settings, each as {@code --key=value}, which count before those that all tests have.
     *
     * @throws RuntimeException when the broker refuses to start
     */
    static BrokerUnderTest start(String... settings) {
        return startOn(TestServers.shared(), settings);
    }

    /** The same on servers of the test's own. */
    static BrokerUnderTest startOn(Endpoints endpoints, String... settings) {
        List<String> all = settings("test-" + UUID.randomUUID(), endpoints, settings);
        return new BrokerUnderTest(HeddleApplication.start(all.toArray(String[]::new)));
    }

    /** What a broker needs to be told to run on these servers, on free ports, and what it is told besides. */
    static List<String> settings(String nodeId, Endpoints endpoints, String... further) {
        List<String> all = new ArrayList<>(List.of(
                "--heddle.node.id=" + nodeId,
                "--heddle.mqtt.port=0",
                "--heddle.http.port=0",
                "--heddle.buckets.count=16",
                "--heddle.kafka.replication-factor=1",
                "--heddle.kafka.bootstrap-servers=" + endpoints.kafkaBootstrapServers(),
                "--heddle.redis.url=" + endpoints.redisUrl(),
                "--heddle.postgres.url=" + endpoints.postgresUrl(),
                "--heddle.postgres.user=" + endpoints.postgresUser(),
                "--heddle.postgres.password=" + endpoints.postgresPassword()));
        endpoints.kafkaSecurity().forEach((name, value) -> all.add("--heddle.kafka.properties." + name + "=" + value));
        all.addAll(PATIENCE);
        List<String> keys = Arrays.stream(further)
                .map(setting -> setting.substring(0, setting.indexOf('=') + 1))
                .toList();
        all.removeIf(setting -> keys.stream().anyMatch(setting::startsWith));
        all.addAll(Arrays.asList(further));
        return all;
    }

    /** Where MQTT clients connect to, on loopback. */
    int mqttPort() {
        String listener = context.getBean(Node.class).status().listeners().getFirst();
        return URI.create(listener).getPort();
    }

    /** What a counter stands at. */
    double count(String name, String... tags) {
        return context.getBean(MeterRegistry.class)
                .get(name)
                .tags(tags)
                .counter()
                .count();
    }

    /** What a gauge stands at. */
    double gauge(String name) {
        return context.getBean(MeterRegistry.class).get(name).gauge().value();
    }

    /** How many messages or copies were dropped for a reason. */
    double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    /** Publishes a message with a client that comes and goes for it; the broker has acknowledged it when this returns. */
    void publish(String topic, String payload, int qos) throws Exception {
        try (LibraryClient publisher = Library.HIVEMQ_5.connected(mqttPort())) {
            publisher.publish(topic, payload, qos);
        }
    }

    /** Breaks a client's connection, and returns when the broker has seen it. */
    void lose(RawClient client, String clientId) {
        client.cut();
        Soon.until(() -> !isConnected(clientId));
    }

    /** Whether the broker has a session of a client, connected or not. */
    boolean hasSession(String clientId) {
        return session(clientId) != null || part(PersistentSessions.class).isKnown(new ClientId(clientId));
    }

    /** The type of a connected client. */
    ClientType typeOf(String clientId) {
        return Objects.requireNonNull(session(clientId), "the client's session")
                .identity()
                .type();
    }

    /** Whether the broker thinks that a client is connected. */
    boolean isConnected(String clientId) {
        ClientSession session = session(clientId);
        return session != null && session.isConnected();
    }

    /**
     * Returns when only so many clients are connected and the broker has done all that follows from the end of the others: then
     * none of them changes a counter any more.
     */
    void awaitConnected(int clients) {
        Soon.until(() -> gauge("heddle.sessions.connected") == clients);
        letLoopsCatchUp();
    }

    /**
     * Returns when each event loop has done what it was given before. Copies of messages whose publication was acknowledged are
     * sent by then, or they wait.
     */
    void letLoopsCatchUp() {
        for (EventLoop loop : eventLoops()) {
            CompletableFuture.runAsync(() -> {}, loop)
                    .orTimeout(TURN_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }

    /** Found by clients that connect until each loop has had one; the broker has a gauge for each. */
    private List<EventLoop> eventLoops() {
        if (eventLoops.isEmpty()) {
            int count = part(MeterRegistry.class)
                    .get("heddle.delivery.waiting.bytes")
                    .gauges()
                    .size();
            Map<Integer, EventLoop> found = new HashMap<>();
            while (found.size() < count) {
                String clientId = Library.newClientId();
                try (RawClient _ = new RawConnect(clientId).open(mqttPort())) {
                    EventLoop loop = Objects.requireNonNull(session(clientId)).eventLoop();
                    found.put(loop.index(), loop);
                }
                Soon.until(() -> !hasSession(clientId));
            }
            eventLoops = List.copyOf(found.values());
        }
        return eventLoops;
    }

    private @Nullable ClientSession session(String clientId) {
        return part(LocalSessions.class).find(new ClientId(clientId));
    }

    /** A part of the broker. */
    <T> T part(Class<T> type) {
        return context.getBean(type);
    }

    /** Sessions that tests leave behind would get the messages of later tests: they are on the servers that all share. */
    private void endSessionsOfTests() {
        PersistentSessions all = part(PersistentSessions.class);
        for (String clientId : Library.takeClientIds()) {
            if (all.isKnown(new ClientId(clientId))) {
                new RawConnect(clientId).open(mqttPort()).disconnect((byte) 0);
                Soon.until(() -> !all.isKnown(new ClientId(clientId)));
            }
        }
    }

    /** Stops the broker and leaves what it keeps of the tests' sessions to the next one. */
    void stop() {
        context.close();
    }

    /** Ends the sessions of all clients that the tests have named, and stops. */
    @Override
    public void close() {
        try {
            endSessionsOfTests();
        } finally {
            stop();
        }
    }
}

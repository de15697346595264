package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.HeddleApplication;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.StoredRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.rule.ChangedRules;
import io.heddle.core.operator.rule.RuleAdministration;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A broker in this process that uses the shared test servers and listens on free ports. With {@code -Dtest.nodes=3} it is a cluster
 * of that many nodes, which all serve, and clients connect to them in turn. One test thread.
 */
final class BrokerUnderTest implements AutoCloseable {
    private static final int NODES = Integer.getInteger("test.nodes", 1);

    /** Timeouts for servers and clients on a busy machine, and a short lease. Several nodes in one process may hold each other up. */
    private static final List<String> PATIENCE = List.of(
            "--heddle.kafka.connect-timeout=60s",
            "--heddle.redis.connect-timeout=60s",
            "--heddle.redis.command-timeout=60s",
            "--heddle.postgres.connect-timeout=60s",
            "--heddle.postgres.query-timeout=60s",
            "--heddle.mqtt.connect-timeout=60s",
            "--heddle.mqtt.close-timeout=60s",
            // Of a killed broker, for which the next one waits.
            "--heddle.cluster.lease=" + (NODES == 1 ? 2 : 20) + "s",
            "--heddle.cluster.heartbeat-interval=200ms");

    /** For several nodes in the JVM of the tests: a pause of the JVM must not end a node, and so the JVM. */
    static final String LONG_LEASE = "--heddle.cluster.lease=20s";

    private static final int TURN_SECONDS = 60;

    private final List<ConfigurableApplicationContext> nodes;
    // Empty until a test waits for them.
    private List<EventLoop> eventLoops = List.of();
    private int turn;

    private BrokerUnderTest(List<ConfigurableApplicationContext> nodes) {
        this.nodes = nodes;
        FailureReport.add(this, () -> registries().map(BrokerUnderTest::metrics).collect(Collectors.joining("\n")));
    }

    private Stream<MeterRegistry> registries() {
        return parts(MeterRegistry.class);
    }

    /** Returns the metrics of Heddle that are not zero. */
    private static String metrics(MeterRegistry registry) {
        return registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith("heddle."))
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false)
                        .filter(measurement -> measurement.getValue() != 0 && !Double.isNaN(measurement.getValue()))
                        .map(measurement -> metric(meter.getId(), measurement)))
                .sorted()
                .collect(Collectors.joining("\n  ", "metrics of the broker:\n  ", ""));
    }

    private static String metric(Meter.Id id, Measurement measurement) {
        boolean several = id.getType() == Meter.Type.TIMER || id.getType() == Meter.Type.DISTRIBUTION_SUMMARY;
        return id.getName() + (id.getTags().isEmpty() ? "" : tags(id))
                + (several ? " " + measurement.getStatistic() : "") + "=" + measurement.getValue();
    }

    private static String tags(Meter.Id id) {
        return id.getTags().stream()
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * Starts a broker. Each setting has the form {@code --key=value} and overrides the settings that all tests share.
     *
     * @throws RuntimeException when the broker refuses to start
     */
    static BrokerUnderTest start(String... settings) {
        return startOn(TestServers.shared(), settings);
    }

    /** Starts a broker on the test's own servers. */
    static BrokerUnderTest startOn(Endpoints endpoints, String... settings) {
        List<ConfigurableApplicationContext> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(HeddleApplication.start(settings("test-" + UUID.randomUUID(), endpoints, settings)
                        .toArray(String[]::new)));
            }
        } catch (RuntimeException e) {
            nodes.forEach(ConfigurableApplicationContext::close);
            throw e;
        }
        return new BrokerUnderTest(nodes);
    }

    /** Returns the settings of a broker on these servers and on free ports, with the further settings added. */
    static List<String> settings(String nodeId, Endpoints endpoints, String... further) {
        return settings(PATIENCE, nodeId, endpoints, further);
    }

    /** Returns settings like {@link #settings}, but with the default time limits. */
    static List<String> defaultSettings(String nodeId, Endpoints endpoints, String... further) {
        return settings(List.of(), nodeId, endpoints, further);
    }

    private static List<String> settings(List<String> patience, String nodeId, Endpoints endpoints, String... further) {
        List<String> all = new ArrayList<>(List.of(
                "--heddle.node.id=" + nodeId,
                "--heddle.mqtt.port=0",
                "--heddle.http.port=0",
                "--heddle.cluster.port=0",
                "--heddle.buckets.count=16",
                "--heddle.kafka.replication-factor=1",
                "--heddle.kafka.bootstrap-servers=" + endpoints.kafkaBootstrapServers(),
                "--heddle.redis.url=" + endpoints.redisUrl(),
                "--heddle.postgres.url=" + endpoints.postgresUrl(),
                "--heddle.postgres.user=" + endpoints.postgresUser(),
                "--heddle.postgres.password=" + endpoints.postgresPassword()));
        endpoints.kafkaSecurity().forEach((name, value) -> all.add("--heddle.kafka.properties." + name + "=" + value));
        all.addAll(patience);
        List<String> keys = Arrays.stream(further)
                .map(setting -> setting.substring(0, setting.indexOf('=') + 1))
                .toList();
        all.removeIf(setting -> keys.stream().anyMatch(setting::startsWith));
        all.addAll(Arrays.asList(further));
        return all;
    }

    /** Returns the port for MQTT clients, on loopback. */
    int mqttPort() {
        ConfigurableApplicationContext node = nodes.get(turn++ % nodes.size());
        String listener = node.getBean(Node.class).status().listeners().getFirst();
        return URI.create(listener).getPort();
    }

    /** Returns the port of the HTTP listener of the first node. */
    int httpPort() {
        ServletWebServerApplicationContext web = (ServletWebServerApplicationContext) nodes.getFirst();
        return Objects.requireNonNull(web.getWebServer(), "the web server").getPort();
    }

    /** Returns the URL of the first listener of the first node with a scheme, such as ws. */
    URI listener(String scheme) {
        return listeners(scheme).getFirst();
    }

    /** Returns the URLs of the listeners of the first node with a scheme. */
    List<URI> listeners(String scheme) {
        return nodes.getFirst().getBean(Node.class).status().listeners().stream()
                .map(URI::create)
                .filter(url -> url.getScheme().equals(scheme))
                .toList();
    }

    /** Returns the sum of all nodes. */
    double count(String name, String... tags) {
        return registries()
                .mapToDouble(each -> each.get(name)
                        .tags(tags)
                        .meter()
                        .measure()
                        .iterator()
                        .next()
                        .getValue())
                .sum();
    }

    /** Returns the sum of all nodes. */
    double gauge(String name) {
        return registries().mapToDouble(each -> each.get(name).gauge().value()).sum();
    }

    /** Returns the number of messages or copies dropped for a reason. */
    double dropped(String reason) {
        return count("heddle.messages.dropped", "reason", reason);
    }

    /** Publishes a message with a client of its own; returns when the broker has acknowledged it. */
    void publish(String topic, String payload, int qos) throws Exception {
        try (LibraryClient publisher = Library.HIVEMQ_5.connected(mqttPort())) {
            publisher.publish(topic, payload, qos);
        }
    }

    /** Breaks a client's connection; returns when the broker has noticed. */
    void lose(RawClient client, String clientId) {
        client.cut();
        Soon.until(() -> !isConnected(clientId));
    }

    /** Returns whether a node has a session of the client, connected or not. */
    boolean hasSession(String clientId) {
        return session(clientId) != null
                || parts(PersistentSessions.class).anyMatch(each -> each.isKnown(new ClientId(clientId)));
    }

    ClientType typeOf(String clientId) {
        return Objects.requireNonNull(session(clientId), "the client's session")
                .identity()
                .type();
    }

    /** Returns whether a node has the client's connection. */
    boolean hasConnection(String clientId) {
        ClientSession session = session(clientId);
        return session != null && session.isConnected();
    }

    /** Returns whether the client is connected from the point of view of a node. Another node follows the log of the clients. */
    boolean isConnected(String clientId) {
        return hasConnection(clientId)
                || parts(PersistentSessions.class)
                        .map(each -> each.find(new ClientId(clientId)))
                        .anyMatch(each -> each != null && !each.record().isAway());
    }

    /**
     * Returns when exactly this many clients are connected and the broker has cleaned up after the others. The others change no
     * counter afterwards.
     */
    void awaitConnected(int clients) {
        Soon.until(() -> gauge("heddle.sessions.connected") == clients);
        letLoopsCatchUp();
    }

    /**
     * Returns when each event loop has run the tasks that it had. Copies of acknowledged publications are sent or queued by
     * then.
     */
    void letLoopsCatchUp() {
        for (EventLoop loop : eventLoops()) {
            CompletableFuture.runAsync(() -> {}, loop)
                    .orTimeout(TURN_SECONDS, TimeUnit.SECONDS)
                    .join();
        }
    }

    /** Connects clients until each event loop has served one. The broker has one gauge for each event loop. */
    private List<EventLoop> eventLoops() {
        if (eventLoops.isEmpty()) {
            int count = registries()
                    .mapToInt(each ->
                            each.get("heddle.delivery.waiting.bytes").gauges().size())
                    .sum();
            Set<EventLoop> found = new HashSet<>();
            while (found.size() < count) {
                String clientId = Library.newClientId();
                try (RawClient _ = new RawConnect(clientId).open(mqttPort())) {
                    found.add(Objects.requireNonNull(session(clientId)).eventLoop());
                }
                Soon.until(() -> !hasSession(clientId));
            }
            eventLoops = List.copyOf(found);
        }
        return eventLoops;
    }

    private @Nullable ClientSession session(String clientId) {
        return parts(LocalSessions.class)
                .map(each -> each.find(new ClientId(clientId)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns a part of the first node. */
    <T> T part(Class<T> type) {
        return nodes.getFirst().getBean(type);
    }

    /** Returns this part of each node. */
    <T> Stream<T> parts(Class<T> type) {
        return nodes.stream().map(node -> node.getBean(type));
    }

    /** Replaces the rules for topics, which stay in the database. */
    void replaceRules(String text) throws RuleSyntaxException {
        RuleAdministration rules = part(Node.class).rules();
        StoredRules present = rules.find();
        ChangedRules changed = rules.replace(present == null ? 0 : present.version(), text, "test");
        assertThat(changed).extracting(ChangedRules::missing).isEqualTo(Map.of());
    }

    /** Ends sessions that tests left on the shared servers, which would receive the messages of later tests. */
    private void endSessionsOfTests() {
        PersistentSessions all = part(PersistentSessions.class);
        SessionAdministration administration = new SessionAdministration(part(LocalSessions.class));
        for (String clientId : Library.takeClientIds()) {
            ClientId id = new ClientId(clientId);
            if (all.isKnown(id)) {
                assertThat(administration.end(id).toCompletableFuture().join())
                        .as(clientId)
                        .isInstanceOf(Ended.Done.class);
            }
        }
    }

    /** Stops the broker; the sessions of the tests stay on the servers. */
    void stop() {
        FailureReport.remove(this);
        nodes.forEach(ConfigurableApplicationContext::close);
    }

    /** Ends the sessions of all clients of the tests and stops the broker. */
    @Override
    public void close() {
        try {
            endSessionsOfTests();
        } finally {
            stop();
        }
    }
}

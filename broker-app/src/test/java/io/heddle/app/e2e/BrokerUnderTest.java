package io.heddle.app.e2e;

import io.heddle.app.HeddleApplication;
import io.heddle.core.client.ClientId;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker in this process on the shared test servers, listening on free ports. */
final class BrokerUnderTest implements AutoCloseable {
    private final ConfigurableApplicationContext context;

    private BrokerUnderTest(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts a broker with further settings, each as {@code --key=value}.
     *
     * @throws RuntimeException when the broker refuses to start
     */
    static BrokerUnderTest start(String... settings) {
        Endpoints endpoints = TestServers.shared();
        List<String> all = new ArrayList<>(List.of(
                "--heddle.mqtt.port=0",
                "--heddle.http.port=0",
                "--heddle.buckets.count=16",
                "--heddle.kafka.replication-factor=1",
                "--heddle.kafka.bootstrap-servers=" + endpoints.kafkaBootstrapServers(),
                "--heddle.redis.url=" + endpoints.redisUrl(),
                "--heddle.postgres.url=" + endpoints.postgresUrl(),
                "--heddle.postgres.user=" + endpoints.postgresUser(),
                "--heddle.postgres.password=" + endpoints.postgresPassword()));
        all.addAll(Arrays.asList(settings));
        return new BrokerUnderTest(HeddleApplication.start(all.toArray(String[]::new)));
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

    /** Whether the broker keeps a session for a client. */
    boolean hasSession(String clientId) {
        return part(LocalSessions.class).find(new ClientId(clientId)) != null;
    }

    /** Whether the broker thinks that a client is connected. */
    boolean isConnected(String clientId) {
        ClientSession session = part(LocalSessions.class).find(new ClientId(clientId));
        return session != null && session.isConnected();
    }

    /** A part of the broker. */
    <T> T part(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.directory.SessionEntry;
import io.heddle.core.session.directory.SessionEntry.Subscribed;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.persistence.postgres.PostgresSessionDirectory;
import io.heddle.persistence.postgres.PostgresSettings;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.Relay;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The directory of persistent sessions in PostgreSQL, whose outage clients do not notice. */
final class SessionDirectoryIT {
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(10);

    private final Endpoints endpoints = TestServers.shared();

    @SuppressWarnings("NullAway.Init") // Set by start.
    private Relay postgres;

    @SuppressWarnings("NullAway.Init") // Set by start.
    private BrokerUnderTest broker;

    @SuppressWarnings("NullAway.Init") // Set by start.
    private PostgresDatabase database;

    private void startBroker() throws IOException {
        start(List.of());
    }

    private void start(List<String> more) throws IOException {
        String prefix = "jdbc:";
        URI server = URI.create(endpoints.postgresUrl().substring(prefix.length()));
        postgres = Relay.open();
        postgres.forwardTo(server.getPort());
        List<String> all = new ArrayList<>(more);
        all.add("--heddle.authentication.anonymous.enabled=true");
        all.add("--heddle.postgres.url=" + prefix + "postgresql://127.0.0.1:" + postgres.port() + server.getPath());
        broker = BrokerUnderTest.start(all.toArray(String[]::new));
        database = PostgresDatabase.open(
                PostgresSettings.of(endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword()),
                new SimpleMeterRegistry());
    }

    @AfterEach
    void stopBroker() throws IOException {
        broker.close();
        closeTheWays();
    }

    private void closeTheWays() throws IOException {
        postgres.close();
        database.close();
    }

    /** Connects to PostgreSQL directly, not through the relay. */
    private @Nullable SessionEntry stored(RawConnect client) {
        return new PostgresSessionDirectory(() -> database).find(new ClientId(client.clientId()));
    }

    private void awaitStored(RawConnect client, Predicate<SessionEntry> condition) {
        Soon.until(() -> {
            SessionEntry entry = stored(client);
            return entry != null && condition.test(entry);
        });
    }

    private static RawConnect connect() {
        return new RawConnect(Library.newClientId());
    }

    @Test
    void directoryShowsASessionUntilItEnds() throws IOException {
        startBroker();
        RawConnect connect = connect().persistent(2);
        RawClient client = connect.open(broker.mqttPort()).subscribe("directory/+", 1);

        awaitStored(connect, entry -> entry.subscriptionCount() == 1);
        SessionEntry connected = Objects.requireNonNull(stored(connect));
        assertThat(connected.record().isAway()).isFalse();
        assertThat(connected.record().expirySeconds()).isEqualTo(2);
        assertThat(connected.subscriptions())
                .containsExactly(new Subscribed("directory/+", QoS.AT_LEAST_ONCE, false, false, 0));
        client.cut();

        Soon.until(() -> stored(connect) == null);
        assertThat(broker.hasSession(connect.clientId())).isFalse();
    }

    @Test
    void postgresqlOutageDoesNotAffectClientsAndTheDirectoryCatchesUp() throws IOException {
        startBroker();
        RawConnect connect = connect().persistent(60);
        RawConnect leaving = connect().persistent(1);
        RawClient left = leaving.open(broker.mqttPort());
        try (RawClient client = connect.open(broker.mqttPort())) {
            awaitStored(connect, _ -> true);
            awaitStored(leaving, _ -> true);
            postgres.silence();

            client.subscribe("silence/a", 1).subscribe("silence/b", 1);
            left.cut();
            Soon.until(() -> !broker.hasSession(leaving.clientId()));
            client.publish("silence/b", "m", 0, 0, false);
            assertThat(client.message().payload()).isEqualTo("m");
            client.publish("silence/c", "m", 1, 1, false);
            client.expect(MqttMessageType.PUBACK);
            assertThat(stored(leaving)).isNotNull();
            postgres.restore();

            awaitStored(connect, entry -> entry.subscriptionCount() == 2);
            Soon.until(() -> stored(leaving) == null);
        }
    }

    @Test
    void stopFlushesPendingChanges() throws IOException {
        startBroker();
        // This session does not end before the stop.
        RawConnect connect = new RawConnect("directory-" + UUID.randomUUID()).persistent(5);
        RawClient client = connect.open(broker.mqttPort());
        awaitStored(connect, entry -> !entry.record().isAway());
        client.subscribe("stop/a", 1);

        broker.close();

        SessionEntry entry = Objects.requireNonNull(stored(connect));
        assertThat(entry.subscriptionCount()).isOne();
        assertThat(entry.record().isAway()).isTrue();
        client.close();
        closeTheWays();
        startBroker();
        Soon.until(() -> stored(connect) == null);
    }

    @Test
    void stopDoesNotWaitForPostgresqlAndTheNextStartReconciles() throws IOException {
        // The default timeouts; other tests use longer ones.
        start(List.of(
                "--heddle.postgres.connect-timeout=" + PostgresSettings.DEFAULT_CONNECT_TIMEOUT.toSeconds() + "s",
                "--heddle.postgres.query-timeout=" + PostgresSettings.DEFAULT_QUERY_TIMEOUT.toSeconds() + "s"));
        RawConnect connect = new RawConnect("directory-" + UUID.randomUUID()).persistent(1);
        RawClient client = connect.open(broker.mqttPort());
        awaitStored(connect, entry -> !entry.record().isAway());
        postgres.silence();
        client.subscribe("stop/b", 1);

        long beganNanos = System.nanoTime();
        broker.close();

        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(STOPPED_WITHIN);
        client.close();
        closeTheWays();
        startBroker();
        Soon.until(() -> stored(connect) == null);
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.TestSettings;
import io.heddle.standalone.testkit.Relay;
import io.heddle.standalone.testkit.TestServers;
import io.netty.handler.codec.mqtt.MqttMessageType;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that are connected do not notice an outage of PostgreSQL, and a stop does not wait for its end. */
final class PostgresOutageIT {
    private static final Duration STOPPED_WITHIN = Duration.ofSeconds(10);

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set by start.
    private Relay postgres;

    @SuppressWarnings("NullAway.Init") // Set by start.
    private BrokerUnderTest broker;

    @BeforeEach
    void start() throws IOException {
        String prefix = "jdbc:";
        URI server = URI.create(TestServers.shared().postgresUrl().substring(prefix.length()));
        postgres = Relay.open();
        postgres.forwardTo(server.getPort());
        // The default timeouts; other tests use longer ones.
        broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.postgres.url=" + prefix + "postgresql://127.0.0.1:" + postgres.port() + server.getPath(),
                "--heddle.postgres.connect-timeout=" + TestSettings.POSTGRES_CONNECT_TIMEOUT.toSeconds() + "s",
                "--heddle.postgres.query-timeout=" + TestSettings.POSTGRES_QUERY_TIMEOUT.toSeconds() + "s");
    }

    @Test
    void connectedClientsAreUnaffected() throws IOException {
        RawConnect leaving = new RawConnect(Library.newClientId()).persistent(1);
        RawClient left = leaving.open(broker.mqttPort());
        try (RawClient client =
                new RawConnect(Library.newClientId()).persistent(60).open(broker.mqttPort())) {
            postgres.silence();

            client.subscribe("silence/a", 1).subscribe("silence/b", 1);
            left.cut();
            Soon.until(() -> !broker.hasSession(leaving.clientId()));
            client.publish("silence/b", "m", 0, 0, false);
            assertThat(client.message().payload()).isEqualTo("m");
            client.publish("silence/c", "m", 1, 1, false);
            client.expect(MqttMessageType.PUBACK);
        }
        postgres.restore();
        broker.close();
    }

    @Test
    void stopDoesNotWaitForPostgresql() {
        postgres.silence();

        long beganNanos = System.nanoTime();
        broker.stop();

        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(STOPPED_WITHIN);
    }
}

package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.wire.ConnectFields;
import io.heddle.perf.load.wire.MqttVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The connection parameters of all clients of a load.
 *
 * @param clientIdPrefix the prefix of each client identifier
 * @param sessionExpiry session expiry interval of persistent sessions in 5.0
 * @param connectsAtOnce concurrent handshakes
 */
public record BrokerAccess(
        Brokers brokers,
        MqttVersion version,
        String clientIdPrefix,
        Credentials publishers,
        Credentials subscribers,
        Duration keepAlive,
        Duration sessionExpiry,
        int connectsAtOnce) {
    /** User name and password; null for none. */
    public record Credentials(
            @Nullable String username, @Nullable String password) {}

    /** The kind of client in the load. */
    public enum ClientKind {
        PUBLISHER("pub"),
        SUBSCRIBER("sub"),
        IDLE("idle");

        private final String word;

        ClientKind(String word) {
            this.word = word;
        }
    }

    /**
     * One of the clients.
     *
     * @param number among the clients of its kind, from 0
     * @param group of {@link io.heddle.perf.load.accounting.Groups}; the number of a client that is in none
     */
    record Client(ClientKind kind, int number, int group) {
        static Client alone(ClientKind kind, int number) {
            return new Client(kind, number, number);
        }
    }

    /** The plan of a client. The session of a {@code persistent} client outlives its connection. */
    ClientPlan plan(Client client, boolean persistent, @Nullable Subscribe subscribe, int publishQos) {
        Credentials credentials = client.kind() == ClientKind.SUBSCRIBER ? subscribers : publishers;
        return new ClientPlan(
                brokers.of(client),
                null,
                new ConnectFields(
                        version,
                        clientIdPrefix + "-" + client.kind().word + "-" + client.number(),
                        !persistent,
                        (int) keepAlive.toSeconds(),
                        persistent ? (int) sessionExpiry.toSeconds() : 0,
                        credentials.username(),
                        credentials.password()),
                subscribe,
                publishQos);
    }
}

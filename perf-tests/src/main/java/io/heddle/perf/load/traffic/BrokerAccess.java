package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.wire.ConnectFields;
import io.heddle.perf.load.wire.MqttVersion;
import java.net.InetSocketAddress;
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
        InetSocketAddress address,
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

    /** The plan of a client. The session of a {@code persistent} client outlives its connection. */
    ClientPlan plan(ClientKind kind, int number, boolean persistent, @Nullable Subscribe subscribe, int publishQos) {
        Credentials credentials = kind == ClientKind.SUBSCRIBER ? subscribers : publishers;
        return new ClientPlan(
                address,
                null,
                new ConnectFields(
                        version,
                        clientIdPrefix + "-" + kind.word + "-" + number,
                        !persistent,
                        (int) keepAlive.toSeconds(),
                        persistent ? (int) sessionExpiry.toSeconds() : 0,
                        credentials.username(),
                        credentials.password()),
                subscribe,
                publishQos);
    }
}

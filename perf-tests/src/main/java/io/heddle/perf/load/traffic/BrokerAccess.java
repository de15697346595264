package io.heddle.perf.load.traffic;

import io.heddle.perf.load.client.ClientPlan;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.wire.ConnectFields;
import io.heddle.perf.load.wire.MqttVersion;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How all clients of a load come to the broker.
 *
 * @param clientIdPrefix what each client identifier begins with
 * @param sessionExpiry of persistent sessions in 5.0
 * @param connectsAtOnce handshakes under way at a time
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

    /** Who the client is in the load. */
    public enum Part {
        PUBLISHER("pub"),
        SUBSCRIBER("sub"),
        IDLE("idle");

        private final String word;

        Part(String word) {
            this.word = word;
        }
    }

    /** A client's plan; with {@code persistent} its session outlives the connection. */
    ClientPlan plan(Part part, int number, boolean persistent, @Nullable Subscribe subscribe, int publishQos) {
        Credentials credentials = part == Part.SUBSCRIBER ? subscribers : publishers;
        return new ClientPlan(
                address,
                null,
                new ConnectFields(
                        version,
                        clientIdPrefix + "-" + part.word + "-" + number,
                        !persistent,
                        (int) keepAlive.toSeconds(),
                        persistent ? (int) sessionExpiry.toSeconds() : 0,
                        credentials.username(),
                        credentials.password()),
                subscribe,
                publishQos);
    }
}

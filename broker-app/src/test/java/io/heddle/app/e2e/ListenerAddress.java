package io.heddle.app.e2e;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import io.heddle.transport.connection.ListenerKind;
import java.net.URI;
import java.util.Objects;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A listener on loopback, as clients find it.
 *
 * @param tls the trust of the clients; null only without TLS
 */
record ListenerAddress(
        ListenerKind kind, int port, @Nullable TrialTls tls) {
    static final String HOST = "127.0.0.1";
    private static final String PATH = "mqtt";

    static ListenerAddress tcp(int port) {
        return new ListenerAddress(ListenerKind.TCP, port, null);
    }

    /** Returns the first listener of a kind. */
    static ListenerAddress of(BrokerUnderTest broker, ListenerKind kind, TrialTls tls) {
        return new ListenerAddress(kind, broker.listener(kind.scheme()).getPort(), tls);
    }

    TrialTls trial() {
        return Objects.requireNonNull(tls, "a listener with TLS needs the trust of its clients");
    }

    /** Returns a builder of a HiveMQ client that connects here. */
    MqttClientBuilder hiveMq(String clientId) {
        MqttClientBuilder builder =
                MqttClient.builder().identifier(clientId).serverHost(HOST).serverPort(port);
        if (kind.isEncrypted()) {
            builder = builder.sslConfig().trustManagerFactory(trial().trust()).applySslConfig();
        }
        if (kind.isWebSocket()) {
            builder = builder.webSocketConfig().serverPath(PATH).applyWebSocketConfig();
        }
        return builder;
    }

    /** Returns the URL with a scheme of the client, which ends in its path if it is one of WebSocket. */
    URI url(String tcpScheme, String tlsScheme) {
        String scheme = switch (kind) {
            case TCP -> tcpScheme;
            case TLS -> tlsScheme;
            case WS -> "ws";
            case WSS -> "wss";
        };
        return URI.create(scheme + "://" + HOST + ":" + port + (kind.isWebSocket() ? "/" + PATH : ""));
    }

    /** Returns the URL for Paho's clients. */
    String pahoUrl() {
        return url("tcp", "ssl").toString();
    }

    /** Returns the sockets for Paho's clients; null for its own. */
    @Nullable
    SocketFactory pahoSockets() {
        return kind.isEncrypted() ? trial().context().getSocketFactory() : null;
    }
}

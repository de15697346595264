package io.heddle.transport.pipeline;

import io.heddle.transport.connection.ListenerConnections;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.websocket.WebSocketEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * What the connections of one listener have in common.
 *
 * @param connections the listener's rules and count
 * @param proxies networks whose proxies begin each connection with a PROXY protocol header, without which no connection is accepted; null
 *     if the listener does not expect the header
 * @param encryption adds TLS; null if the listener has none
 * @param webSocket the WebSocket endpoint; null for MQTT without WebSocket
 */
public record ListenerPipeline(
        ListenerConnections connections,
        @Nullable TrustedNetworks proxies,
        @Nullable PipelineStage encryption,
        @Nullable WebSocketEndpoint webSocket) {
    public ListenerPipeline {
        if (connections.kind().isEncrypted() != (encryption != null)
                || connections.kind().isWebSocket() != (webSocket != null)) {
            throw new IllegalArgumentException(
                    "TLS and WebSocket must match the kind of listener " + connections.name());
        }
    }

    /** Creates the pipeline of a listener for MQTT over TCP without proxies. */
    public static ListenerPipeline tcp(ListenerConnections connections) {
        return new ListenerPipeline(connections, null, null, null);
    }
}

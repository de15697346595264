package io.heddle.transport.listener;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.connection.ListenerConnections;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.pipeline.ListenerPipeline;
import io.heddle.transport.pipeline.PipelineStage;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.websocket.WebSocketEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An address on which the server accepts clients.
 *
 * @param name unique among the listeners, for logs and {@link MqttServer#boundAddresses}
 * @param host a name or address of this machine; 0.0.0.0 means all of its IPv4 addresses
 * @param port 0 to 65,535; 0 selects a free one
 * @param portSetting names the setting of the port in error messages
 * @param kind how clients carry MQTT
 * @param maximumConnections the maximum number of open connections, at least 1, and its setting; that of the server applies as well
 * @param versions the allowed versions of MQTT, at least one
 * @param proxies networks whose proxies begin each connection with a PROXY protocol header, without which no connection is accepted; null
 *     if the listener does not expect the header
 * @param encryption adds TLS to a pipeline; null unless the kind is encrypted
 * @param webSocket the WebSocket endpoint; null unless the kind is WebSocket
 */
public record Listener(
        String name,
        String host,
        int port,
        String portSetting,
        ListenerKind kind,
        Limit maximumConnections,
        Set<MqttVersion> versions,
        @Nullable TrustedNetworks proxies,
        @Nullable PipelineStage encryption,
        @Nullable WebSocketEndpoint webSocket) {
    public Listener {
        versions = Set.copyOf(versions);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ": use 0 to 65535");
        }
        if (maximumConnections.value() < 1) {
            throw new IllegalArgumentException("maximum number of connections must be positive");
        }
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("at least one version of MQTT is required");
        }
    }

    /** Creates a listener for MQTT over TCP without limits of its own. */
    public static Listener tcp(String name, String host, int port) {
        return new Listener(
                name,
                host,
                port,
                "heddle.mqtt.port (--mqtt-port)",
                ListenerKind.TCP,
                new Limit("heddle.mqtt.maximum-connections", Integer.MAX_VALUE),
                EnumSet.allOf(MqttVersion.class),
                null,
                null,
                null);
    }

    /** Creates what its connections have in common. */
    ListenerPipeline pipeline(MeterRegistry registry) {
        return new ListenerPipeline(
                new ListenerConnections(name, kind, maximumConnections, versions, registry),
                proxies,
                encryption,
                webSocket);
    }
}

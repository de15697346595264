package io.heddle.app.listeners;

import io.heddle.core.Limit;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.pipeline.PipelineStage;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.websocket.AllowedOrigins;
import io.heddle.transport.websocket.WebSocketEndpoint;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A listener with all defaults applied.
 *
 * @param key prefix of its settings, such as heddle.mqtt.listeners[0]; empty for a listener of the simple options
 * @param name unique
 * @param host the address as the operator has written it
 * @param addressSetting key of the address
 * @param portSetting names the port in messages, such as heddle.mqtt.port (--mqtt-port)
 * @param portKey key of the port
 * @param port 0 for a free one
 * @param standardPort whether the operator has left the choice of the port to the broker
 */
public record ConfiguredListener(
        String key,
        String name,
        String host,
        InetAddress address,
        String addressSetting,
        String portSetting,
        String portKey,
        int port,
        boolean standardPort,
        ListenerSettings settings) {
    public ListenerKind kind() {
        return settings.kind();
    }

    /**
     * Returns whether only clients of this machine can connect: a proxy passes on clients of others, even if it runs on this machine and the
     * address is a loopback address.
     */
    public boolean isLoopbackOnly() {
        return address.isLoopbackAddress() && settings.trustedProxies().isEmpty();
    }

    /** Returns the listener with another port. */
    public ConfiguredListener at(int otherPort) {
        return new ConfiguredListener(
                key, name, host, address, addressSetting, portSetting, portKey, otherPort, standardPort, settings);
    }

    /** Returns the URL at which clients reach it, with brackets around an IPv6 address. */
    public String url(int boundPort) {
        boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
        return kind().scheme() + "://" + (bareIpv6 ? "[" + host + "]" : host) + ":" + boundPort
                + (kind().isWebSocket() ? settings.path().getFirst() : "");
    }

    /**
     * @param encryption returns TLS of a listener with this name; called only for those that have it
     * @param maximumPacketBytes of the node
     */
    Listener toListener(Function<String, PipelineStage> encryption, int maximumPacketBytes, Duration closeTimeout) {
        TrustedNetworks trusted = settings.trusted(key);
        long frameBytes = settings.maximumFrameSize().toBytes();
        @Nullable
        WebSocketEndpoint webSocket = kind().isWebSocket()
                ? new WebSocketEndpoint(
                        settings.path(),
                        new AllowedOrigins(
                                Set.copyOf(settings.origins()),
                                key.isEmpty() ? "heddle.mqtt.ws-origins" : key + ".origins"),
                        frameBytes == 0
                                ? new Limit("twice heddle.mqtt.maximum-packet-size", 2L * maximumPacketBytes)
                                : new Limit(key + ".maximum-frame-size", frameBytes),
                        trusted,
                        closeTimeout)
                : null;
        return new Listener(
                name,
                address.getHostAddress(),
                port,
                portSetting,
                kind(),
                settings.maximumConnections() == 0
                        ? new Limit("heddle.mqtt.maximum-connections", Integer.MAX_VALUE)
                        : new Limit(key + ".maximum-connections", settings.maximumConnections()),
                settings.allowedVersions(key),
                settings.proxyProtocol() ? trusted : null,
                kind().isEncrypted() ? encryption.apply(name) : null,
                webSocket);
    }
}

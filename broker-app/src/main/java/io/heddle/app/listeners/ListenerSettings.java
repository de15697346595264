package io.heddle.app.listeners;

import io.heddle.app.authentication.MethodName;
import io.heddle.app.tls.ListenerTlsSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.persistence.SettingRule;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.proxy.TrustedNetworks;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * One listener of heddle.mqtt.listeners. The annotation is only for the generated page of settings.
 *
 * @param name name in logs, metrics and announcements: at most 32 lower-case letters, digits and dashes. If empty, the kind and the number of
 *     the listener, such as ws-2
 * @param kind how clients carry MQTT: tcp, tls, ws (WebSocket) or wss (WebSocket over TLS)
 * @param address address to listen on; if empty, that of heddle.mqtt.bind
 * @param port port to listen on; 0 picks a free one; auto: 1883, 8883, 8083 or 8084, by kind; off: no listener
 * @param path paths of the URL for WebSocket, such as /mqtt,/ws,/, separated by commas; if empty, those of heddle.mqtt.ws-path
 * @param maximumConnections maximum number of open connections of this listener; 0 means as many as the node allows
 * @param versions allowed versions of MQTT, separated by commas
 * @param anonymous whether clients without user name and password may connect to this listener; if it is not set, as for the node
 * @param authenticationMethods the methods that are asked about clients of this listener, in this order: some of heddle.authentication.methods; if
 *     empty, all of them
 * @param proxyProtocol whether each connection begins with a PROXY protocol header, of version 1 or 2, and comes from one of the trusted
 *     proxies. Other connections are closed
 * @param trustedProxies addresses or networks of proxies, such as 10.0.0.0/8,fd00::/8, separated by commas. The addresses of clients are taken
 *     from their PROXY protocol headers and, for WebSocket, from their X-Forwarded-For
 * @param origins origins of web pages that may connect over WebSocket, such as https://example.org, separated by commas, or *; if empty, those of
 *     heddle.mqtt.ws-origins
 * @param maximumFrameSize maximum size of a WebSocket frame; 0B means twice heddle.mqtt.maximum-packet-size
 * @param tls TLS of this listener
 */
@ConfigurationProperties(prefix = ListenerSettings.PREFIX + "[]")
public record ListenerSettings(
        @DefaultValue("") String name,
        @DefaultValue("tcp") ListenerKind kind,
        @DefaultValue("") String address,
        @DefaultValue("auto") PortSetting port,
        @DefaultValue List<String> path,
        @DefaultValue("0") int maximumConnections,
        @DefaultValue({"3.1", "3.1.1", "5.0"}) List<String> versions,
        @Nullable Boolean anonymous,
        @DefaultValue List<MethodName> authenticationMethods,
        @DefaultValue("false") boolean proxyProtocol,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue List<String> origins,
        @DefaultValue("0B") DataSize maximumFrameSize,
        @DefaultValue @NestedConfigurationProperty ListenerTlsSettings tls) {
    /** Key of the list. */
    public static final String PREFIX = "heddle.mqtt.listeners";

    private static final long MAXIMUM_FRAME_BYTES = 1L << 30;
    private static final int MAXIMUM_PATHS = 16;

    public ListenerSettings {
        path = stripped(path);
        versions = List.copyOf(versions);
        authenticationMethods = List.copyOf(authenticationMethods);
        trustedProxies = List.copyOf(trustedProxies);
        origins = stripped(origins);
    }

    private static List<String> stripped(List<String> texts) {
        return texts.stream().map(String::strip).toList();
    }

    /** Returns these settings with paths and origins of the node if they have none. */
    ListenerSettings with(List<String> nodePath, List<String> nodeOrigins) {
        return new ListenerSettings(
                name,
                kind,
                address,
                port,
                path.isEmpty() ? nodePath : path,
                maximumConnections,
                versions,
                anonymous,
                authenticationMethods,
                proxyProtocol,
                trustedProxies,
                origins.isEmpty() ? nodeOrigins : origins,
                maximumFrameSize,
                tls);
    }

    /** Returns a listener with defaults. */
    static ListenerSettings of(String name, ListenerKind kind, PortSetting port) {
        return new ListenerSettings(
                name,
                kind,
                "",
                port,
                List.of(),
                0,
                List.of("3.1", "3.1.1", "5.0"),
                null,
                List.of(),
                false,
                List.of(),
                List.of(),
                DataSize.ofBytes(0),
                ListenerTlsSettings.NONE);
    }

    /** Throws StartupException naming the setting, whose key begins with the prefix. */
    void check(String prefix) {
        checkPath(prefix + ".path", path);
        SettingRule.between(prefix + ".maximum-connections", maximumConnections, 0, Integer.MAX_VALUE);
        SettingRule.bytesBetween(prefix + ".maximum-frame-size", maximumFrameSize.toBytes(), 0, MAXIMUM_FRAME_BYTES);
        allowedVersions(prefix);
        trusted(prefix);
        if (proxyProtocol && trustedProxies.isEmpty()) {
            throw new StartupException(
                    prefix + ".proxy-protocol is true, but no proxy is trusted: set " + prefix
                            + ".trusted-proxies to the addresses of the load balancers",
                    null);
        }
        if (!kind.isWebSocket() && !proxyProtocol && !trustedProxies.isEmpty()) {
            throw new StartupException(
                    prefix + ".trusted-proxies has no effect without the PROXY protocol: set " + prefix
                            + ".proxy-protocol=true, or remove it",
                    null);
        }
    }

    /** Throws StartupException naming the setting if it has something else than paths. */
    static void checkPath(String setting, List<String> paths) {
        if (paths.size() > MAXIMUM_PATHS || !paths.stream().allMatch(each -> each.matches("/[!-~&&[^?#]]{0,254}"))) {
            throw new StartupException(
                    setting + " is not a path: set it to at most 255 ASCII characters that begin with a slash, such as"
                            + " /mqtt, or to up to " + MAXIMUM_PATHS + " such paths separated by commas",
                    null);
        }
    }

    Set<MqttVersion> allowedVersions(String prefix) {
        Set<MqttVersion> allowed = EnumSet.noneOf(MqttVersion.class);
        for (String version : versions) {
            switch (version.strip()) {
                case "3.1" -> allowed.add(MqttVersion.V3_1);
                case "3.1.1" -> allowed.add(MqttVersion.V3_1_1);
                case "5.0", "5" -> allowed.add(MqttVersion.V5);
                default -> throw wrongVersions(prefix);
            }
        }
        if (allowed.isEmpty()) {
            throw wrongVersions(prefix);
        }
        return allowed;
    }

    private static StartupException wrongVersions(String prefix) {
        return new StartupException(
                prefix + ".versions is not a list of versions of MQTT: set it to one or more of 3.1, 3.1.1 and 5.0,"
                        + " separated by commas",
                null);
    }

    TrustedNetworks trusted(String prefix) {
        try {
            return TrustedNetworks.parse(
                    trustedProxies.stream().map(String::strip).toList());
        } catch (IllegalArgumentException e) {
            throw new StartupException(prefix + ".trusted-proxies: " + e.getMessage(), e);
        }
    }
}

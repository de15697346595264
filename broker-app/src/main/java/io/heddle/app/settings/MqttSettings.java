package io.heddle.app.settings;

import io.heddle.app.listeners.BindAddress;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.listeners.ConfiguredListeners;
import io.heddle.app.listeners.ListenerSettings;
import io.heddle.app.listeners.PortSetting;
import io.heddle.app.tls.MqttTlsSettings;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.session.SessionSettings;
import io.heddle.persistence.SettingRule;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.listener.ServerSettings;
import io.heddle.transport.listener.Transport;
import io.heddle.transport.pipeline.PipelineStage;
import io.heddle.transport.tls.TlsSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The listeners for MQTT, and the limits of their connections.
 *
 * @param bind address of all listeners that have none of their own
 * @param port port for MQTT over TCP; 0 picks a free one; auto: 1883; off: none. If it is not set, auto, or off if heddle.mqtt.listeners is set
 * @param tlsPort port for MQTT over TLS; 0 picks a free one; auto: 8883; off: none
 * @param wsPort port for MQTT over WebSocket; 0 picks a free one; off: none; auto: 8083, a free one if heddle.mqtt.port is
 *     0, or none if heddle.mqtt.listeners is set; auto in the profile "standalone"
 * @param wssPort port for MQTT over WebSocket over TLS; 0 picks a free one; auto: 8084; off: none
 * @param wsPath paths of the URL for WebSocket, such as /mqtt,/ws,/, separated by commas; a slash at the end makes no difference
 * @param wsOrigins origins of web pages that may connect over WebSocket, such as https://example.org, separated by commas, or * for all. If
 *     empty: pages of the host to which they connect, and of localhost. On a loopback address, a host name other than localhost counts only
 *     behind trusted proxies. Clients that are not web browsers send no origin and are not affected
 * @param portOffset number that is added to the port of each listener for MQTT, except 0: several brokers on one machine can have the same
 *     configuration otherwise. Not with --nodes, which sets it
 * @param listeners listeners with settings of their own, in addition to those of the ports above
 * @param advertise host and port at which clients reach this node, such as mqtt-1.example.org:1883. Other nodes name it to clients of MQTT
 *     5.0 that must use another server. If empty, the address of a listener on a loopback address, or else none
 * @param transport I/O mechanism of the event loops: auto, epoll, io_uring or nio
 * @param eventLoops number of threads that serve connections; 0 means one for each processor
 * @param backlog maximum number of connections that the system queues before they are accepted
 * @param maximumConnections maximum number of open connections of this node; further ones are closed immediately. Connections of one address (of
 *     IPv6: of a /64) that have not sent CONNECT take at most half of what is free; beyond that, the oldest silent one is closed. 0 means the number of
 *     files that the process may open minus the reserve, at most 1000000. A higher number is lowered, with a warning in the log
 * @param reservedDescriptors number of open files (ulimit -n) that are reserved for HTTP, Kafka, Redis, PostgreSQL and files; 0 means a
 *     quarter of the limit, at most 5000
 * @param connectTimeout maximum time from the opening of a connection to the end of its CONNECT packet, or of the exchange of enhanced
 *     authentication that it begins; a twentieth of it for silent clients, and
 *     a quarter for slow ones, while connections before CONNECT take half of what is free, or those of their address a quarter
 * @param stopTimeout maximum time that a stop waits for clients to read their DISCONNECT
 * @param closeTimeout maximum time in which a closed connection writes its remaining output and the client closes its side
 * @param maximumPacketSize maximum size of a packet from a client; announced to MQTT 5.0 clients
 * @param maximumConnectSize maximum size of a CONNECT packet
 * @param unfinishedPacketsLimit memory for the partially received packets of all connections; a packet that exceeds it is refused with
 *     reason code 0x97. CONNECT packets take at most a quarter of it; 0B means a quarter of the maximum heap (direct memory has the same
 *     maximum)
 * @param maximumTopicLength maximum length of a topic name or filter in bytes, at most 65535
 * @param maximumTopicLevels maximum number of levels of a topic name or filter, at most 512
 * @param allowedDollarPrefixes first levels that begin with $ and that clients may use like those of any other topic, such as $aws; never
 *     $SYS and $share. Clients may not publish to other topics that begin with $, and filters that name them are refused with reason code 0x8F
 * @param maximumUserProperties maximum number of user properties of a packet
 * @param unsentOutputLimit memory for the unsent output of all connections above their high watermarks. A connection that would use more
 *     than a quarter of the free part loses QoS 0 messages, which are counted. Payloads of 64 KiB and more that clients have not read may
 *     hold an eighth of the limit in the heap; beyond it, QoS 0 messages with such payloads are dropped. 0B means a quarter of the maximum
 *     heap (direct memory has the same maximum)
 * @param lowWatermark a slow client is sent QoS 1 and 2 messages again when its unsent output falls below this
 * @param highWatermark while a client has more unsent output than this, its QoS 1 and 2 messages stay queued in its session
 * @param burstLimit while a client has this much unsent output, QoS 0 messages for it are dropped and counted; from a quarter of it on,
 *     their publishers are throttled
 * @param slowReaderPatience how long publishers of QoS 0 messages are throttled for a slow client; after that its messages are dropped at
 *     the burst limit until it has caught up
 * @param outboundLimit maximum unsent output of a client; a packet that exceeds it and may not be dropped closes the connection
 * @param tls TLS of the listeners
 */
public record MqttSettings(
        @DefaultValue("127.0.0.1") String bind,
        @Nullable PortSetting port,
        @DefaultValue("off") PortSetting tlsPort,
        @DefaultValue("off") PortSetting wsPort,
        @DefaultValue("off") PortSetting wssPort,
        @DefaultValue("/mqtt") List<String> wsPath,
        @DefaultValue List<String> wsOrigins,
        @DefaultValue("0") int portOffset,
        @DefaultValue List<ListenerSettings> listeners,
        @DefaultValue("") String advertise,
        @DefaultValue("auto") Transport transport,
        @DefaultValue("0") int eventLoops,
        @DefaultValue("1024") int backlog,
        @DefaultValue("0") int maximumConnections,
        @DefaultValue("0") int reservedDescriptors,
        @DefaultValue("10s") Duration connectTimeout,
        @DefaultValue("2s") Duration stopTimeout,
        @DefaultValue("2s") Duration closeTimeout,
        @DefaultValue("2MB") DataSize maximumPacketSize,
        @DefaultValue("64KB") DataSize maximumConnectSize,
        @DefaultValue("0B") DataSize unfinishedPacketsLimit,
        @DefaultValue("4096") int maximumTopicLength,
        @DefaultValue("64") int maximumTopicLevels,
        @DefaultValue List<String> allowedDollarPrefixes,
        @DefaultValue("64") int maximumUserProperties,
        @DefaultValue("0B") DataSize unsentOutputLimit,
        @DefaultValue("32KB") DataSize lowWatermark,
        @DefaultValue("64KB") DataSize highWatermark,
        @DefaultValue("4MB") DataSize burstLimit,
        @DefaultValue("2s") Duration slowReaderPatience,
        @DefaultValue("8MB") DataSize outboundLimit,
        @DefaultValue @NestedConfigurationProperty MqttTlsSettings tls) {
    /** Key of the address to listen on. */
    public static final String BIND = "heddle.mqtt.bind";

    private static final Pattern ADDRESS = Pattern.compile("[!-~]{0,255}");
    private static final Pattern DOLLAR_PREFIX = Pattern.compile("\\$[^/+#\\p{Cntrl}]{1,100}");
    private static final String LOW_WATERMARK = "heddle.mqtt.low-watermark";
    private static final String HIGH_WATERMARK = "heddle.mqtt.high-watermark";
    private static final String BURST_LIMIT = "heddle.mqtt.burst-limit";
    private static final DataSize LEAST_PACKET = DataSize.ofBytes(128);
    /** Maximum of the remaining length in a fixed header, rounded down. */
    private static final DataSize MOST_PACKET = DataSize.ofMegabytes(256);

    /** Of one client, before the other clients of its event loop get their turn. */
    private static final int PACKETS_PER_TURN = 256;

    private static final int MOST_CONNECTIONS = 1_000_000;
    private static final DataSize MOST_WAITING = DataSize.ofGigabytes(1);

    public MqttSettings {
        listeners = List.copyOf(listeners);
        allowedDollarPrefixes = List.copyOf(allowedDollarPrefixes);
        allowedDollarPrefixes.forEach(MqttSettings::requireDollarPrefix);
        BindAddress.of(BIND + " (--bind)", bind);
        SettingRule.between("heddle.mqtt.port-offset", portOffset, 0, 65_535);
        wsPath = wsPath.stream().map(String::strip).toList();
        wsOrigins = wsOrigins.stream().map(String::strip).toList();
        var _ = ConfiguredListeners.of(
                new ConfiguredListeners.Simple(bind, port, tlsPort, wsPort, wssPort, portOffset, wsPath, wsOrigins),
                listeners);
        if (!ADDRESS.matcher(advertise).matches()) {
            throw new StartupException(
                    "heddle.mqtt.advertise is not a host and port: set it to at most 255 ASCII characters without spaces,"
                            + " such as mqtt-1.example.org:1883",
                    null);
        }
        SettingRule.between("heddle.mqtt.event-loops", eventLoops, 0, 1_024);
        SettingRule.between("heddle.mqtt.backlog", backlog, 1, 65_535);
        SettingRule.between("heddle.mqtt.maximum-connections", maximumConnections, 0, Integer.MAX_VALUE);
        SettingRule.between("heddle.mqtt.reserved-descriptors", reservedDescriptors, 0, 1_000_000);
        SettingRule.between(
                "heddle.mqtt.connect-timeout", connectTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        SettingRule.between("heddle.mqtt.stop-timeout", stopTimeout, Duration.ZERO, Duration.ofSeconds(8));
        SettingRule.between("heddle.mqtt.close-timeout", closeTimeout, Duration.ofMillis(100), Duration.ofMinutes(1));
        ByteLimit.between("heddle.mqtt.maximum-packet-size", maximumPacketSize, LEAST_PACKET, MOST_PACKET);
        ByteLimit.between("heddle.mqtt.maximum-connect-size", maximumConnectSize, LEAST_PACKET, MOST_PACKET);
        ByteLimit.between(
                "heddle.mqtt.unfinished-packets-limit",
                unfinishedPacketsLimit,
                DataSize.ofBytes(0),
                DataSize.ofGigabytes(1024));
        SettingRule.between("heddle.mqtt.maximum-topic-length", maximumTopicLength, 1, 65_535);
        SettingRule.between("heddle.mqtt.maximum-topic-levels", maximumTopicLevels, 1, 512);
        SettingRule.between("heddle.mqtt.maximum-user-properties", maximumUserProperties, 0, 65_535);
        ByteLimit.between(LOW_WATERMARK, lowWatermark, DataSize.ofBytes(1), MOST_WAITING);
        ByteLimit.between(HIGH_WATERMARK, highWatermark, DataSize.ofBytes(1), MOST_WAITING);
        ByteLimit.atLeast(HIGH_WATERMARK, highWatermark, LOW_WATERMARK, lowWatermark);
        ByteLimit.between(BURST_LIMIT, burstLimit, DataSize.ofBytes(1), MOST_WAITING);
        ByteLimit.atLeast(BURST_LIMIT, burstLimit, HIGH_WATERMARK, highWatermark);
        ByteLimit.between("heddle.mqtt.outbound-limit", outboundLimit, DataSize.ofBytes(1), MOST_WAITING);
        ByteLimit.atLeast("heddle.mqtt.outbound-limit", outboundLimit, BURST_LIMIT, burstLimit);
        ByteLimit.between(
                "heddle.mqtt.unsent-output-limit", unsentOutputLimit, DataSize.ofBytes(0), DataSize.ofGigabytes(1024));
        SettingRule.between(
                "heddle.mqtt.slow-reader-patience", slowReaderPatience, Duration.ofMillis(10), Duration.ofMinutes(1));
    }

    public int eventLoopThreads() {
        return eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
    }

    public ConfiguredListeners allListeners() {
        return ConfiguredListeners.of(
                new ConfiguredListeners.Simple(bind, port, tlsPort, wsPort, wssPort, portOffset, wsPath, wsOrigins),
                listeners);
    }

    public Set<String> listenerNames() {
        return allListeners().all().stream().map(ConfiguredListener::name).collect(Collectors.toSet());
    }

    /** The error for a transport that this machine does not support. */
    public StartupException missingTransport(@Nullable IllegalArgumentException cause) {
        return new StartupException(
                "heddle.mqtt.transport is " + transport.name().toLowerCase(Locale.ROOT)
                        + ", which this machine does not support: set it to auto",
                cause);
    }

    /**
     * Returns the settings of the server.
     *
     * @param encryption returns TLS of a listener with this name; called only for those that have it
     * @param further a listener besides those of the operator
     */
    public ServerSettings toServerSettings(Function<String, PipelineStage> encryption, Listener further) {
        List<Listener> all =
                new ArrayList<>(allListeners().toListeners(encryption, bytes(maximumPacketSize), closeTimeout));
        all.add(further);
        return new ServerSettings(
                all,
                backlog,
                effectiveConnections(),
                connectTimeout,
                stopTimeout,
                packetLimits(),
                unfinishedPacketsBytes(),
                HeapShare.UNSENT_OUTPUT.bytes(unsentOutputLimit),
                new ConnectionLimits(
                        bytes(lowWatermark),
                        bytes(highWatermark),
                        bytes(burstLimit),
                        bytes(outboundLimit),
                        PACKETS_PER_TURN,
                        closeTimeout));
    }

    /**
     * Returns TLS of the listeners that have it.
     *
     * @throws StartupException if a setting is missing
     */
    public List<TlsSettings> toTlsSettings() {
        return allListeners().all().stream()
                .filter(listener -> listener.kind().isEncrypted())
                .map(listener -> tls.of(listener.name(), listener.settings().tls(), listener.key() + ".tls"))
                .toList();
    }

    public FileDescriptors fileDescriptors() {
        return FileDescriptors.ofProcess(reservedDescriptors);
    }

    /** Returns the maximum number of connections: the configured number, unless the process may open too few files. */
    public int effectiveConnections() {
        return fileDescriptors().connections(maximumConnections == 0 ? MOST_CONNECTIONS : maximumConnections);
    }

    private long unfinishedPacketsBytes() {
        return HeapShare.UNFINISHED_PACKETS.bytes(unfinishedPacketsLimit);
    }

    private PacketLimits packetLimits() {
        return new PacketLimits(
                bytes(maximumPacketSize),
                bytes(maximumConnectSize),
                maximumTopicLength,
                maximumTopicLevels,
                maximumUserProperties);
    }

    private static void requireDollarPrefix(String prefix) {
        if (!DOLLAR_PREFIX.matcher(prefix).matches() || prefix.equals("$SYS") || prefix.equals("$share")) {
            throw new StartupException(
                    "heddle.mqtt.allowed-dollar-prefixes has a value that is not the first level of topics of clients: use"
                            + " levels such as $aws, without / + #, and neither $SYS nor $share",
                    null);
        }
    }

    private static int bytes(DataSize size) {
        return Math.toIntExact(size.toBytes());
    }

    public SessionSettings toSessionSettings(SessionLimits limits, ActiveRules rules) {
        return new SessionSettings(
                bytes(maximumPacketSize),
                maximumTopicLevels,
                new TopicRules(allowedDollarPrefixes, rules),
                limits.maximumSubscriptions(),
                limits.maximumSessions(),
                limits.maximumExpirySeconds(),
                limits.version3ExpirySeconds(),
                (int) limits.maximumKeepAlive().toSeconds(),
                limits.receiveMaximum(),
                limits.maximumInFlight(),
                limits.topicAliasMaximum(),
                limits.toQueueLimits(),
                limits.maximumUnreleased(),
                limits.persistentPerUser(),
                slowReaderPatience);
    }
}

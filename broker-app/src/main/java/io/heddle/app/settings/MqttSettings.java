package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.session.SessionSettings;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.listener.ServerSettings;
import io.heddle.transport.listener.Transport;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The MQTT listener.
 *
 * @param bind the address to listen on
 * @param port the port; 0 picks a free one
 * @param transport how the event loops talk to the operating system: auto, epoll, io_uring or nio
 * @param eventLoops how many threads serve connections; 0 means one for each processor
 * @param backlog connections that the system holds before they are accepted
 * @param maximumConnections open connections of this node; one more is closed at once
 * @param connectTimeout how long a client may take from opening the connection to the end of its CONNECT
 * @param stopTimeout how long stopping waits for clients to read why
 * @param maximumPacketSize the largest packet that a client may send; announced to MQTT 5.0 clients
 * @param maximumConnectSize the largest CONNECT packet
 * @param maximumTopicLength the longest topic name or filter in bytes, at most 65535
 * @param maximumTopicLevels the deepest topic name or filter
 * @param maximumUserProperties user properties in one packet
 * @param lowWatermark a client that did not read gets messages again when less than this waits for it
 * @param highWatermark while more than this waits for a client that does not read, its QoS 0 messages are dropped and counted
 * @param outboundLimit the most that may wait for one client; a packet that may not be dropped then closes the connection
 */
public record MqttSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("1883") int port,
        @DefaultValue("auto") Transport transport,
        @DefaultValue("0") int eventLoops,
        @DefaultValue("1024") int backlog,
        @DefaultValue("1000000") int maximumConnections,
        @DefaultValue("10s") Duration connectTimeout,
        @DefaultValue("2s") Duration stopTimeout,
        @DefaultValue("1MB") DataSize maximumPacketSize,
        @DefaultValue("64KB") DataSize maximumConnectSize,
        @DefaultValue("4096") int maximumTopicLength,
        @DefaultValue("64") int maximumTopicLevels,
        @DefaultValue("64") int maximumUserProperties,
        @DefaultValue("32KB") DataSize lowWatermark,
        @DefaultValue("64KB") DataSize highWatermark,
        @DefaultValue("4MB") DataSize outboundLimit) {
    public MqttSettings {
        if (port < 0 || port > 65_535) {
            throw new StartupException(
                    "heddle.mqtt.port (--mqtt-port) is " + port + ": set it to 1 to 65535, or 0 for a free one", null);
        }
        if (eventLoops < 0) {
            throw new StartupException(
                    "heddle.mqtt.event-loops is " + eventLoops + ": set it to 1 or more, or 0 for one per processor",
                    null);
        }
    }

    /** How many threads serve connections. */
    public int eventLoopThreads() {
        return eventLoops == 0 ? Runtime.getRuntime().availableProcessors() : eventLoops;
    }

    /** Whether only this machine can reach the listener. */
    public boolean isLoopbackOnly() {
        return address().isLoopbackAddress();
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new StartupException(
                    "heddle.mqtt.bind (--bind) is " + bind + ", which is no address of this machine: set it to one,"
                            + " like 127.0.0.1 or 0.0.0.0",
                    e);
        }
    }

    /** What the server takes. */
    public ServerSettings toServerSettings() {
        try {
            return new ServerSettings(
                    List.of(Listener.tcp(address().getHostAddress(), port)),
                    backlog,
                    maximumConnections,
                    connectTimeout,
                    stopTimeout,
                    packetLimits(),
                    new ConnectionLimits(
                            bytes(lowWatermark),
                            bytes(highWatermark),
                            bytes(outboundLimit),
                            ConnectionLimits.DEFAULTS.closeTimeout()));
        } catch (IllegalArgumentException e) {
            throw new StartupException("a limit below heddle.mqtt is not usable: " + e.getMessage(), e);
        }
    }

    private PacketLimits packetLimits() {
        return new PacketLimits(
                bytes(maximumPacketSize),
                bytes(maximumConnectSize),
                maximumTopicLength,
                maximumTopicLevels,
                maximumUserProperties);
    }

    private static int bytes(DataSize size) {
        return Math.toIntExact(Math.min(size.toBytes(), Integer.MAX_VALUE));
    }

    /** What sessions take. */
    public SessionSettings toSessionSettings(SessionLimits limits) {
        return new SessionSettings(
                bytes(maximumPacketSize),
                maximumTopicLevels,
                limits.maximumSubscriptions(),
                limits.maximumSessions(),
                limits.maximumExpirySeconds(),
                (int) limits.maximumKeepAlive().toSeconds(),
                limits.receiveMaximum(),
                limits.maximumInFlight(),
                limits.topicAliasMaximum(),
                limits.toQueueLimits());
    }
}

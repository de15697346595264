package io.heddle.transport.listener;

import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import java.time.Duration;
import java.util.List;

/**
 * How the server listens.
 *
 * @param listeners at least one, with unique names
 * @param backlog connections that the system holds before they are accepted
 * @param maximumConnections open connections of this node; one more is closed at once
 * @param connectTimeout from the connection to a whole CONNECT
 * @param stopTimeout how long stopping waits for the clients to read why
 * @param packets what the decoder accepts
 * @param unfinishedPacketsBytes memory for the packets of all connections of which a part has come; at least 1
 * @param unsentOutputBytes memory for the unsent output of all connections above their high watermarks; at least 1
 * @param connections bounds for one connection
 * @param probes how dead peers are found
 */
public record ServerSettings(
        List<Listener> listeners,
        int backlog,
        int maximumConnections,
        Duration connectTimeout,
        Duration stopTimeout,
        PacketLimits packets,
        long unfinishedPacketsBytes,
        long unsentOutputBytes,
        ConnectionLimits connections,
        KeepAliveProbes probes) {
    public ServerSettings {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()
                || listeners.stream().map(Listener::name).distinct().count() != listeners.size()) {
            throw new IllegalArgumentException("there must be at least one listener, and each needs a name of its own");
        }
        if (backlog < 1 || maximumConnections < 1) {
            throw new IllegalArgumentException("the backlog and the maximum number of connections must be above 0");
        }
        if (unfinishedPacketsBytes < 1) {
            throw new IllegalArgumentException("the memory for unfinished packets must be above 0");
        }
        if (unsentOutputBytes < 1) {
            throw new IllegalArgumentException("the memory for unsent output must be above 0");
        }
        if (!connectTimeout.isPositive() || stopTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "the connect timeout must be above 0 and the stop timeout must not be negative");
        }
    }

    /** Defaults for a listener: backlog 1,024, a million connections, 10 s to connect, 5 s to stop, 64 MiB of unfinished packets, as much of unsent output. */
    public static ServerSettings of(Listener listener) {
        return new ServerSettings(
                List.of(listener),
                1024,
                1_000_000,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                PacketLimits.DEFAULTS,
                64 << 20,
                64 << 20,
                ConnectionLimits.DEFAULTS,
                KeepAliveProbes.DEFAULTS);
    }
}

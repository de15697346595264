package io.heddle.transport.listener;

import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the MQTT server.
 *
 * @param listeners at least one, with unique names
 * @param backlog the operating system's queue of connections to accept
 * @param maximumConnections the maximum number of open connections of this node; further ones are closed immediately
 * @param connectTimeout the time from accepting a connection to its complete CONNECT
 * @param stopTimeout how long a stop waits for clients to read the reason and disconnect
 * @param packets limits of the decoder
 * @param unfinishedPacketsBytes memory for partially received packets of all connections; at least 1
 * @param unsentOutputBytes memory for the unsent output of all connections above their high watermarks; at least 1
 * @param connections limits of one connection
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
        ConnectionLimits connections) {
    public ServerSettings {
        listeners = List.copyOf(listeners);
        if (listeners.isEmpty()
                || listeners.stream().map(Listener::name).distinct().count() != listeners.size()) {
            throw new IllegalArgumentException("at least one listener is required, and their names must be unique");
        }
        if (backlog < 1 || maximumConnections < 1) {
            throw new IllegalArgumentException("backlog and maximum number of connections must be positive");
        }
        if (unfinishedPacketsBytes < 1) {
            throw new IllegalArgumentException("memory for unfinished packets must be positive");
        }
        if (unsentOutputBytes < 1) {
            throw new IllegalArgumentException("memory for unsent output must be positive");
        }
        if (!connectTimeout.isPositive() || stopTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "connect timeout must be positive and stop timeout must not be negative");
        }
    }
}

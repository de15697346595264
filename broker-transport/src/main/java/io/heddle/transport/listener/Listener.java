package io.heddle.transport.listener;

/**
 * One address that clients connect to.
 *
 * @param name unique among the listeners, for logs and {@link MqttServer#boundAddresses}
 * @param host a name or address of this machine; 0.0.0.0 means all of its IPv4 addresses
 * @param port 0 to 65,535; 0 lets the system pick a free one
 * @param kind what is spoken there
 */
public record Listener(String name, String host, int port, Kind kind) {
    /** What carries the packets. */
    public enum Kind {
        /** Plain TCP. */
        TCP
    }

    public Listener {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is between 0 and 65535, not " + port);
        }
    }

    /** A listener for MQTT over TCP. */
    public static Listener tcp(String host, int port) {
        return new Listener("mqtt", host, port, Kind.TCP);
    }
}

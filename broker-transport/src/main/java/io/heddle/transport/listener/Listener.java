package io.heddle.transport.listener;

/**
 * An address on which the server accepts clients.
 *
 * @param name unique among the listeners, for logs and {@link MqttServer#boundAddresses}
 * @param host a name or address of this machine; 0.0.0.0 means all of its IPv4 addresses
 * @param port 0 to 65,535; 0 selects a free one
 * @param kind the transport protocol
 */
public record Listener(String name, String host, int port, Kind kind) {
    /** The transport protocol of a listener. */
    public enum Kind {
        /** Plain TCP. */
        TCP
    }

    public Listener {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port is " + port + ": use 0 to 65535");
        }
    }

    /** Creates a listener for MQTT over TCP. */
    public static Listener tcp(String host, int port) {
        return new Listener("mqtt", host, port, Kind.TCP);
    }
}

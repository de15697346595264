package io.heddle.app.settings;

import io.heddle.app.listeners.BindAddress;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.net.InetAddress;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Listener of the REST API, health and metrics.
 *
 * @param bind address to listen on
 * @param port port to listen on; 0 picks a free one
 * @param maximumConnections maximum number of open connections; further ones wait in the backlog of the system. 0 means half of
 *     heddle.mqtt.reserved-descriptors, at most 2048
 * @param requestTimeout maximum time in which the head of a request must arrive, and maximum idle time; after it the connection is closed
 */
public record HttpSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("8080") int port,
        @DefaultValue("0") int maximumConnections,
        @DefaultValue("5s") Duration requestTimeout) {
    private static final String BIND = "heddle.http.bind (--bind)";

    public HttpSettings {
        if (port < 0 || port > 65_535) {
            throw new StartupException(
                    "heddle.http.port (--http-port) is " + port + ": set it to 1 to 65535, or 0 for a free one", null);
        }
        BindAddress.of(BIND, bind);
        SettingRule.between("heddle.http.maximum-connections", maximumConnections, 0, 1_000_000);
        SettingRule.between(
                "heddle.http.request-timeout", requestTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
    }

    /** Returns the maximum number of connections. */
    public int effectiveConnections(FileDescriptors descriptors) {
        return maximumConnections == 0 ? descriptors.httpConnections() : maximumConnections;
    }

    public InetAddress address() {
        return BindAddress.of(BIND, bind);
    }
}

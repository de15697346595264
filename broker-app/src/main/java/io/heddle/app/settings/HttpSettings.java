package io.heddle.app.settings;

import io.heddle.app.listeners.BindAddress;
import io.heddle.app.listeners.PortSetting;
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
 * @param probePort port of its own for the health probes of supervisors and load balancers, which a flood of requests on the other port does
 *     not disturb. It serves only /actuator/health/liveness, readiness and serving, at the same address; 0 picks a free one; auto: 8100; off:
 *     none
 * @param maximumConnections maximum number of open connections; further ones wait in the backlog of the system. 0 means half of
 *     heddle.mqtt.reserved-descriptors, at most 2048
 * @param maximumConnectionsPerAddress maximum number of open connections of one address (an IPv6 /64), which may be that of a proxy; further
 *     ones are closed at once. 0 means a quarter of the maximum of all addresses
 * @param requestTimeout maximum time in which the head of a request must arrive, and maximum idle time; after it the connection is closed
 * @param bodyTimeout maximum time in which the body of a request must arrive
 */
public record HttpSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("8080") int port,
        @DefaultValue("off") PortSetting probePort,
        @DefaultValue("0") int maximumConnections,
        @DefaultValue("0") int maximumConnectionsPerAddress,
        @DefaultValue("5s") Duration requestTimeout,
        @DefaultValue("1m") Duration bodyTimeout) {
    /** Names {@code port} in messages. */
    public static final String PORT = "heddle.http.port (--http-port)";
    /** Names {@code probePort} in messages. */
    public static final String PROBE_PORT = "heddle.http.probe-port";

    private static final int STANDARD_PROBE_PORT = 8100;
    private static final int SHARE_OF_ADDRESS = 4;
    private static final String BIND = "heddle.http.bind (--bind)";

    public HttpSettings {
        if (port < 0 || port > 65_535) {
            throw new StartupException(PORT + " is " + port + ": set it to 1 to 65535, or 0 for a free one", null);
        }
        if (port != 0 && !probePort.isOff() && probePort.number(PROBE_PORT, STANDARD_PROBE_PORT) == port) {
            throw new StartupException(
                    PORT + " and " + PROBE_PORT + " are both " + port
                            + ": give one of them another port, or 0 for a free one",
                    null);
        }
        BindAddress.of(BIND, bind);
        SettingRule.between("heddle.http.maximum-connections", maximumConnections, 0, 1_000_000);
        SettingRule.between("heddle.http.maximum-connections-per-address", maximumConnectionsPerAddress, 0, 1_000_000);
        SettingRule.between(
                "heddle.http.request-timeout", requestTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        SettingRule.between("heddle.http.body-timeout", bodyTimeout, Duration.ofSeconds(1), Duration.ofHours(1));
    }

    /** Returns the maximum number of connections. */
    public int effectiveConnections(FileDescriptors descriptors) {
        return maximumConnections == 0 ? descriptors.httpConnections() : maximumConnections;
    }

    /** Returns the maximum number of connections of one address. */
    public int effectiveConnectionsPerAddress(FileDescriptors descriptors) {
        return maximumConnectionsPerAddress == 0
                ? Math.max(1, effectiveConnections(descriptors) / SHARE_OF_ADDRESS)
                : maximumConnectionsPerAddress;
    }

    /** Returns the port for probes; 0 if there is none or each start picks a free one. */
    public int fixedProbePort() {
        return probePort.isOff() ? 0 : probePort.number(PROBE_PORT, STANDARD_PROBE_PORT);
    }

    public InetAddress address() {
        return BindAddress.of(BIND, bind);
    }
}

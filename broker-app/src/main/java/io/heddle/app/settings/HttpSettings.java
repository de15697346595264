package io.heddle.app.settings;

import io.heddle.app.listeners.BindAddress;
import io.heddle.app.listeners.PortSetting;
import io.heddle.app.tls.KeySettings;
import io.heddle.core.client.AddressRange;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import io.heddle.transport.tls.ClientCertificates;
import io.heddle.transport.tls.TlsProvider;
import io.heddle.transport.tls.TlsSettings;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Listener of the REST API, health and metrics.
 *
 * @param bind address to listen on
 * @param port port to listen on; 0 picks a free one
 * @param probePort port of its own for the health probes of supervisors and load balancers, which a flood of requests on the other port does
 *     not disturb. It serves only /actuator/health/liveness, readiness and serving, at the same address; 0 picks a free one; auto: 8100; off:
 *     none
 * @param maximumConnections maximum number of open connections; for a further one, the oldest without a request is closed. 0 means half of
 *     heddle.mqtt.reserved-descriptors, at most 2048, or 256 with TLS, whose connections need more memory
 * @param maximumConnectionsPerAddress maximum number of open connections of one address (an IPv6 /64), which may be that of a proxy; further
 *     ones are closed at once. 0 means a quarter of the maximum of all addresses
 * @param requestTimeout maximum time in which the head of a request must arrive, maximum idle time, and maximum time from the opening of a
 *     connection with TLS to the first byte of a request, with the handshake; after it the connection is closed
 * @param bodyTimeout maximum time in which the body of a request must arrive
 * @param trustedProxies addresses or networks of proxies, such as 10.0.0.0/8,fd00::/8, separated by commas. The address of a client that comes
 *     through one of them is the last one in X-Forwarded-For that is not in the list; for the audit log and for wrong passwords. Their
 *     X-Forwarded-Proto tells whether the client uses HTTPS, for the cookies of sessions
 * @param tls certificate of this listener, which then speaks HTTPS (TLS 1.2 and 1.3) and no HTTP; the port for probes stays without TLS
 */
public record HttpSettings(
        @DefaultValue("127.0.0.1") String bind,
        @DefaultValue("8080") int port,
        @DefaultValue("off") PortSetting probePort,
        @DefaultValue("0") int maximumConnections,
        @DefaultValue("0") int maximumConnectionsPerAddress,
        @DefaultValue("5s") Duration requestTimeout,
        @DefaultValue("1m") Duration bodyTimeout,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue @NestedConfigurationProperty KeySettings tls) {
    /** Names {@code port} in messages. */
    public static final String PORT = "heddle.http.port (--http-port)";
    /** Names {@code probePort} in messages. */
    public static final String PROBE_PORT = "heddle.http.probe-port";

    /** Prefix of the keys of {@code tls}. */
    public static final String TLS = "heddle.http.tls";
    /** Names this listener in logs and metrics. */
    public static final String LISTENER = "http";

    private static final int STANDARD_PROBE_PORT = 8100;
    /** After the handshake, a connection takes 112 KB of the heap and the buffer of a head, before its client has signed in. */
    private static final int MOST_CONNECTIONS_WITH_TLS = 256;

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
        trustedProxies = List.copyOf(trustedProxies);
        for (String range : trustedProxies) {
            try {
                var _ = AddressRange.parse(range);
            } catch (IllegalArgumentException wrong) {
                throw new StartupException(
                        "heddle.http.trusted-proxies has '" + range + "': " + wrong.getMessage(), null);
            }
        }
        tls.requireCertificate(TLS);
    }

    public boolean isEncrypted() {
        return !tls.certificate().isEmpty();
    }

    /** Returns the scheme of URLs of this listener. */
    public String scheme() {
        return isEncrypted() ? "https" : "http";
    }

    /**
     * Returns TLS of this listener; empty if it has none.
     *
     * @throws StartupException if a file name is no path
     */
    public List<TlsSettings> toTlsSettings() {
        return isEncrypted()
                ? List.of(new TlsSettings(
                        LISTENER,
                        TLS,
                        List.of(tls.toFiles(TLS)),
                        ClientCertificates.OFF,
                        null,
                        TlsSettings.PROTOCOLS,
                        TlsSettings.DEFAULT_CIPHERS,
                        // That of Tomcat.
                        TlsProvider.JDK,
                        TlsSettings.SESSION_TIMEOUT))
                : List.of();
    }

    public int effectiveConnections(FileDescriptors descriptors) {
        if (maximumConnections != 0) {
            return maximumConnections;
        }
        int most = descriptors.httpConnections();
        return isEncrypted() ? Math.min(most, MOST_CONNECTIONS_WITH_TLS) : most;
    }

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

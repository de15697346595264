package io.heddle.app.start;

import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.nodes.NodePorts;
import io.heddle.app.nodes.SupervisedNode;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.HttpSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.Servers;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.listener.Transport;
import io.heddle.transport.tls.TlsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Checks the transport, addresses, ports and certificates of the listeners before servers are started. The ports are not reserved, so a
 * listener may still fail to bind later, with an error of its own.
 */
final class ListenersCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final int FIRST_UNPRIVILEGED = 1_024;
    private static final int ANY = 0;

    private final Predicate<Transport> available;
    private final @Nullable NodesCheck nodes;

    /**
     * @param available whether this machine supports a transport
     * @param nodes has determined the ports of several nodes; null for those of one node
     */
    ListenersCheck(Predicate<Transport> available, @Nullable NodesCheck nodes) {
        this.available = available;
        this.nodes = nodes;
    }

    /** After the settings are checked and logging is set up. */
    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 2;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        Binder settings = Binder.get(environment);
        MqttSettings mqtt = settings.bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class);
        HttpSettings http = settings.bindOrCreate(HeddleSettings.PREFIX + ".http", HttpSettings.class);
        if (!available.test(mqtt.transport())) {
            throw mqtt.missingTransport(null);
        }
        // Before the first use of TLS.
        TlsProvider.limitTicketKeys(mqtt.tls().sessionTimeout());
        Certificates.check(mqtt.toTlsSettings());
        Certificates.check(http.toTlsSettings());
        if (environment.acceptsProfiles(StandaloneSettings.PROFILE)
                && !SupervisedNode.isThisProcess()
                && isBrokerRunning(settings)) {
            // The start of the servers reports that the data directory is in use, which is the actual error.
            return;
        }
        NodePorts ports = nodes == null
                ? NodePorts.of(mqtt.allListeners().all(), http.port(), http.fixedProbePort(), 1)
                : nodes.ports();
        for (int node = 0; node < ports.count(); node++) {
            for (ConfiguredListener listener : ports.listeners()) {
                boolean isOwn = !listener.settings().address().isEmpty();
                checkAddress(
                        "MQTT",
                        isOwn ? listener.addressSetting() : listener.addressSetting() + " (--bind)",
                        listener.portSetting(),
                        listener.address(),
                        ports.mqtt(listener, node));
            }
            String bind = "heddle.http.bind (--bind)";
            checkAddress("HTTP", bind, HttpSettings.PORT, http.address(), ports.http(node));
            checkAddress("probe", bind, HttpSettings.PROBE_PORT, http.address(), ports.probes(node));
        }
    }

    private static boolean isBrokerRunning(Binder settings) {
        StandaloneSettings standalone =
                settings.bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
        try {
            return Servers.runningEndpoints(standalone.dataDirectory()).isPresent();
        } catch (StandaloneException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkAddress(
            String name, String addressSetting, String portSetting, InetAddress address, int port) {
        String host = address.getHostAddress();
        try {
            tryToBind(address, ANY);
        } catch (IOException e) {
            throw new StartupException(
                    "the " + name + " listener cannot use the address " + host + " (" + e.getMessage() + "): set "
                            + addressSetting + " to one of this machine, like 127.0.0.1 or 0.0.0.0",
                    e);
        }
        try {
            tryToBind(address, port);
        } catch (IOException e) {
            throw new StartupException(
                    "the " + name + " listener cannot use port " + port + " on " + host + " (" + e.getMessage() + "): "
                            + remedy(port) + " " + portSetting + "; 0 picks a free one",
                    e);
        }
    }

    /** Binds without listening, so that no client is accepted. */
    private static void tryToBind(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            // Like the listeners: connections of an earlier broker in TIME_WAIT do not matter.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        }
    }

    static String remedy(int port) {
        return port < FIRST_UNPRIVILEGED
                ? "stop the program that uses it, give this user the right to ports below " + FIRST_UNPRIVILEGED
                        + " (the capability CAP_NET_BIND_SERVICE), or choose another port with"
                : "stop the program that uses it, or choose another port with";
    }
}

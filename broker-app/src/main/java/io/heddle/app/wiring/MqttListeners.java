package io.heddle.app.wiring;

import io.heddle.app.settings.FileDescriptors;
import io.heddle.app.settings.MqttSettings;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.listener.MqttServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the listeners. A late phase, so that everything that a client needs is there; clients that connect before {@link #admitAll}
 * are closed at once. Started and stopped by one thread at a time; any thread may ask for the addresses.
 */
final class MqttListeners implements StartupPhase {
    private static final Logger LOG = LoggerFactory.getLogger(MqttListeners.class);

    private final MqttSettings settings;
    private final EventLoopThreads eventLoops;
    private final BrokerCore sessions;
    private final MeterRegistry metrics;
    private volatile @Nullable MqttServer server;

    MqttListeners(MqttSettings settings, EventLoopThreads eventLoops, BrokerCore sessions, MeterRegistry metrics) {
        this.settings = settings;
        this.eventLoops = eventLoops;
        this.sessions = sessions;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the MQTT listeners";
    }

    @Override
    public void start() {
        MqttServer listening = new MqttServer(
                settings.toServerSettings(), eventLoops.loops(), Sessions.of(sessions.connectService()), metrics);
        listening.admitOnly(_ -> false);
        sayHowMany();
        listening.start();
        server = listening;
    }

    private void sayHowMany() {
        FileDescriptors descriptors = settings.fileDescriptors();
        int connections = settings.effectiveConnections();
        if (connections < settings.maximumConnections()) {
            LOG.warn(
                    "heddle.mqtt.maximum-connections is {}, but this process may open only {} files, of which {} are reserved: MQTT"
                            + " connections above {} are refused (raise the limit with ulimit -n, LimitNOFILE of systemd or the like)",
                    settings.maximumConnections(),
                    descriptors.limit(),
                    descriptors.reserve(),
                    connections);
        } else {
            LOG.info(
                    "MQTT connections above {} are refused; this process may open {} files, of which {} are reserved",
                    connections,
                    descriptors.limit(),
                    descriptors.reserve());
        }
    }

    /** From now on connections from one port are admitted, whatever the address is written like, and no others. */
    void admitOnly(int port) {
        admit(address -> address instanceof InetSocketAddress internet && internet.getPort() == port);
    }

    /** From now on every client may connect. */
    void admitAll() {
        admit(_ -> true);
    }

    private void admit(Predicate<SocketAddress> addresses) {
        MqttServer listening = server;
        if (listening != null) {
            listening.admitOnly(addresses);
        }
    }

    /** Where clients connect to, as they would write it, by listener; empty unless listening. */
    Map<String, String> urls() {
        Map<String, String> urls = new LinkedHashMap<>();
        boundAddresses().forEach((name, address) -> urls.put(name, Urls.of("tcp", settings.bind(), address.getPort())));
        return urls;
    }

    private Map<String, InetSocketAddress> boundAddresses() {
        MqttServer listening = server;
        return listening == null ? Map.of() : listening.boundAddresses();
    }

    /** Where the first listener is bound; only while listening. */
    InetSocketAddress firstAddress() {
        return boundAddresses().values().iterator().next();
    }

    @Override
    public void stop() {
        MqttServer listening = server;
        server = null;
        try {
            if (listening != null) {
                listening.stop();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

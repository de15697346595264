package io.heddle.app.wiring;

import io.heddle.app.drain.Drain;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.app.listeners.Urls;
import io.heddle.app.settings.FileDescriptors;
import io.heddle.app.settings.MqttSettings;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.listener.Listener;
import io.heddle.transport.listener.MqttServer;
import io.heddle.transport.pipeline.PipelineStage;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the listeners in a late phase, when all services for clients are ready. Connections wait in the backlog of the system until {@link
 * #acceptAll}. Started and stopped by one thread at a time; any thread may read the addresses.
 */
final class MqttListeners implements StartupPhase, Drain.Clients {
    private static final Logger LOG = LoggerFactory.getLogger(MqttListeners.class);

    private static final String SELF_CHECK = "self-check";

    private final MqttSettings settings;
    private final Function<String, PipelineStage> encryption;
    private final EventLoopThreads eventLoops;
    private final CoreStartup startup;
    private final ClientIncidents incidents;
    private final MeterRegistry metrics;
    private volatile @Nullable MqttServer server;

    /** @param encryption returns TLS of a listener with this name; called at the start for those that have it */
    MqttListeners(
            MqttSettings settings,
            Function<String, PipelineStage> encryption,
            EventLoopThreads eventLoops,
            CoreStartup startup,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.settings = settings;
        this.encryption = encryption;
        this.eventLoops = eventLoops;
        this.startup = startup;
        this.incidents = incidents;
        this.metrics = metrics;
    }

    @Override
    public String name() {
        return "the MQTT listeners";
    }

    @Override
    public void start() {
        Listener selfCheck =
                Listener.tcp(SELF_CHECK, InetAddress.getLoopbackAddress().getHostAddress(), 0);
        MqttServer listening = new MqttServer(
                settings.toServerSettings(encryption, selfCheck),
                eventLoops.loops(),
                Sessions.of(startup.core().connectService()),
                incidents,
                metrics);
        listening.admitOnly(_ -> false);
        logConnectionLimit();
        listening.start(SELF_CHECK::equals);
        server = listening;
    }

    private void logConnectionLimit() {
        FileDescriptors descriptors = settings.fileDescriptors();
        int connections = settings.effectiveConnections();
        if (connections < settings.maximumConnections()) {
            LOG.warn(
                    "This process may open too few files for heddle.mqtt.maximum-connections; further MQTT connections are closed"
                            + " (raise the limit with ulimit -n or LimitNOFILE of systemd); connections={}, configured={},"
                            + " openFiles={}, reserved={}",
                    connections,
                    settings.maximumConnections(),
                    descriptors.limit(),
                    descriptors.reserve());
        } else {
            LOG.info(
                    "MQTT connections above the limit are closed; connections={}, openFiles={}, reserved={}",
                    connections,
                    descriptors.limit(),
                    descriptors.reserve());
        }
    }

    /** Admits only the self-check, which connects from the given port. */
    void admitOnly(int port) {
        MqttServer listening = server;
        if (listening != null) {
            listening.admitOnly(address -> address instanceof InetSocketAddress internet && internet.getPort() == port);
        }
    }

    /** Accepts clients, and closes the listener for the self-check. */
    void acceptAll() {
        MqttServer listening = server;
        if (listening != null) {
            listening.stopListening(SELF_CHECK);
            listening.admitOnly(_ -> true);
            listening.acceptAll();
        }
    }

    /** Returns the URL of each listener; empty unless listening. */
    Map<String, String> urls() {
        Map<String, String> urls = new LinkedHashMap<>();
        Map<String, InetSocketAddress> bound = boundAddresses();
        for (ConfiguredListener listener : settings.allListeners().all()) {
            InetSocketAddress address = bound.get(listener.name());
            if (address != null) {
                urls.put(listener.name(), listener.url(address.getPort()));
            }
        }
        return urls;
    }

    private Map<String, InetSocketAddress> boundAddresses() {
        MqttServer listening = server;
        return listening == null ? Map.of() : listening.boundAddresses();
    }

    /** Returns the address of the listener for the self-check; only while listening, and before clients are accepted. */
    InetSocketAddress selfCheckAddress() {
        return Objects.requireNonNull(boundAddresses().get(SELF_CHECK), "there is a listener for the self-check");
    }

    @Override
    public IntUnaryOperator stopListening(Supplier<@Nullable String> serverReference) {
        MqttServer listening = server;
        return listening == null ? _ -> 0 : listening.drain(serverReference)::next;
    }

    /** Returns the number of open connections; 0 unless listening. */
    int connectionCount() {
        MqttServer listening = server;
        return listening == null ? 0 : listening.connectionCount();
    }

    /**
     * Returns what closes connections that are open now, and returns how many; 0 if none is left. Clients may connect meanwhile.
     *
     * @param reason for clients of MQTT 5.0
     * @param serverReference returns another server for a client of MQTT 5.0, or null
     */
    IntUnaryOperator closing(String reason, Supplier<@Nullable String> serverReference) {
        MqttServer listening = server;
        return listening == null ? _ -> 0 : listening.closing(reason, serverReference)::next;
    }

    /**
     * Returns where clients reach this node, which other nodes tell their clients. Without the setting it is known only if all clients are on
     * this machine; else it is empty.
     */
    String advertised() {
        if (!settings.advertise().isEmpty()) {
            return settings.advertise();
        }
        ConfiguredListener first = settings.allListeners().all().getFirst();
        InetSocketAddress bound = boundAddresses().get(first.name());
        return settings.allListeners().isLoopbackOnly() && bound != null
                ? Urls.authority(first.address().getHostAddress(), bound.getPort())
                : "";
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

package io.heddle.app;

import io.heddle.app.settings.MqttSettings;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.listener.MqttServer;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens the door for clients. A late phase, so that everything that a client needs is there. Started and stopped by one thread at
 * a time; any thread may ask for the addresses.
 */
final class MqttListeners implements StartupPhase {
    private final MqttSettings settings;
    private final EventLoopThreads eventLoops;
    private final ServedSessions sessions;
    private final MeterRegistry metrics;
    private volatile @Nullable MqttServer server;

    MqttListeners(MqttSettings settings, EventLoopThreads eventLoops, ServedSessions sessions, MeterRegistry metrics) {
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
        listening.start();
        server = listening;
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

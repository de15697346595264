package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.HttpSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.DataDirectory;
import io.heddle.standalone.StandaloneException;
import io.heddle.transport.listener.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Predicate;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Tries what the listeners will need, before servers are started that would have to be stopped again: the transport, the
 * addresses and the ports. Nothing is kept, so a listener may still find its port taken when its time comes, and says so.
 */
final class ListenersCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final int FIRST_FOR_EVERYBODY = 1_024;
    private static final int ANY = 0;

    private final Predicate<Transport> available;

    /** @param available whether this machine has the transport */
    ListenersCheck(Predicate<Transport> available) {
        this.available = available;
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
        if (environment.acceptsProfiles(StandaloneSettings.PROFILE) && isBrokerRunning(settings)) {
            // Then the data directory is the trouble, not the port, and the servers' start says so.
            return;
        }
        checkAddress("MQTT", "mqtt", mqtt.address(), mqtt.port());
        checkAddress("HTTP", "http", http.address(), http.port());
    }

    private static boolean isBrokerRunning(Binder settings) {
        StandaloneSettings standalone =
                settings.bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
        try {
            return DataDirectory.runningEndpoints(standalone.dataDirectory()).isPresent();
        } catch (StandaloneException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
    }

    private static void checkAddress(String name, String group, InetAddress address, int port) {
        String host = address.getHostAddress();
        try {
            tryToBind(address, ANY);
        } catch (IOException e) {
            throw new StartupException(
                    "the " + name + " listener cannot use the address " + host + " (" + e.getMessage()
                            + "): set heddle." + group
                            + ".bind (--bind) to one of this machine, like 127.0.0.1 or 0.0.0.0",
                    e);
        }
        try {
            tryToBind(address, port);
        } catch (IOException e) {
            throw new StartupException(
                    "the " + name + " listener cannot use port " + port + " on " + host + " (" + e.getMessage() + "): "
                            + wayOut(port) + " heddle." + group + ".port (--" + group + "-port); 0 picks a free one",
                    e);
        }
    }

    /** Without listening, so that no client is accepted by mistake. */
    private static void tryToBind(InetAddress address, int port) throws IOException {
        try (Socket socket = new Socket()) {
            // As the listeners do: what is left of an earlier broker's connections does not count.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        }
    }

    static String wayOut(int port) {
        return port < FIRST_FOR_EVERYBODY
                ? "stop the program that uses it, give this user the right to ports below " + FIRST_FOR_EVERYBODY
                        + " (the capability CAP_NET_BIND_SERVICE), or choose another port with"
                : "stop the program that uses it, or choose another port with";
    }
}

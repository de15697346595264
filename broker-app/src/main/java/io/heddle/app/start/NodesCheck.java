package io.heddle.app.start;

import io.heddle.app.nodes.NodePorts;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.HttpSettings;
import io.heddle.app.settings.MqttSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.app.wiring.StandaloneServers;
import io.heddle.core.lifecycle.StartupException;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;

/** Rejects settings that contradict {@code --nodes}, and determines the ports of the nodes. Belongs to the thread that starts the nodes. */
final class NodesCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    private static final String NODE_ID = "heddle.node.id";
    private static final String PORT_OFFSET = "heddle.mqtt.port-offset";

    private final int count;
    private @Nullable NodePorts ports;

    NodesCheck(int count) {
        this.count = count;
    }

    @Override
    public int getOrder() {
        return SettingsCheck.ORDER;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (!environment.acceptsProfiles(StandaloneSettings.PROFILE)) {
            throw new StartupException(
                    "--nodes starts nodes with a Kafka, Redis and PostgreSQL of their own, which only ./heddle does: start"
                            + " ./heddle --nodes " + count + ", or start each node by itself on your servers",
                    null);
        }
        for (String setting : new TreeSet<>(StandaloneServers.ADDRESS_SETTINGS.values())) {
            reject(
                    environment,
                    setting,
                    "starts its own Kafka, Redis and PostgreSQL",
                    "start each node by itself on your servers");
        }
        reject(environment, PORT_OFFSET, "sets it for each node", "leave out --nodes");
        reject(environment, NODE_ID, "names the nodes node-1 to node-" + count, "leave out --nodes");
        Binder settings = Binder.get(environment);
        HttpSettings http = settings.bindOrCreate(HeddleSettings.PREFIX + ".http", HttpSettings.class);
        ports = NodePorts.of(
                settings.bindOrCreate(HeddleSettings.PREFIX + ".mqtt", MqttSettings.class)
                        .allListeners()
                        .all(),
                http.port(),
                http.fixedProbePort(),
                count);
    }

    private static void reject(ConfigurableEnvironment environment, String setting, String reason, String alternative) {
        ConfigurationProperty found = SettingOrigin.find(environment, setting);
        if (found != null) {
            throw new StartupException(
                    setting + SettingOrigin.of(found) + " is set, but --nodes " + reason + ": remove the setting, or "
                            + alternative,
                    null);
        }
    }

    /** Returns the ports of the nodes, once the settings are checked. */
    NodePorts ports() {
        return Objects.requireNonNull(ports, "the settings are checked first");
    }
}

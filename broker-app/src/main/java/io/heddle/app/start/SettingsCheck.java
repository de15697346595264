package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.HttpSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Rejects wrong settings before a directory is created or a server is started. Then sets the address, port and TLS of the web server.
 */
final class SettingsCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    static final int ORDER = LogDirectory.ORDER - 1;

    /**
     * Placeholders in the values of settings that stand for a property of each client. Otherwise Spring would replace them if a variable has
     * such a name, as USERNAME has on some machines.
     */
    private static final Map<String, Object> PLACEHOLDERS = Stream.of("clientId", "username", "address", "listener")
            .collect(Collectors.toUnmodifiableMap(name -> name, name -> "\\${" + name + "}"));

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        PlatformSettings.check(environment.getPropertySources());
        UnknownSettings.check(environment.getPropertySources());
        LogConfiguration.check(environment);
        rejectDataDirectoryWithoutServers(environment);
        environment.getPropertySources().addFirst(new MapPropertySource("Placeholders of clients", PLACEHOLDERS));
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        HttpSettings http = settings.http();
        Map<String, Object> server = new HashMap<>(Map.of("server.address", http.bind(), "server.port", http.port()));
        if (http.isEncrypted()) {
            server.put("server.ssl.bundle", HttpSettings.LISTENER);
        }
        environment.getPropertySources().addFirst(new MapPropertySource("HTTP listener", server));
    }

    /** The directory would be ignored, and the start would fail because there are no servers. */
    private static void rejectDataDirectoryWithoutServers(ConfigurableEnvironment environment) {
        ConfigurationProperty directory = SettingOrigin.find(environment, StandaloneSettings.KEY);
        if (directory != null && !environment.acceptsProfiles(StandaloneSettings.PROFILE)) {
            throw new StartupException(
                    StandaloneSettings.KEY + " (--data-dir)" + SettingOrigin.of(directory)
                            + " is set, which belongs to the profile standalone, in which a broker starts its own Kafka, Redis"
                            + " and PostgreSQL: start the broker with ./heddle, which always has this profile, or remove the"
                            + " setting and set the addresses of your servers",
                    null);
        }
    }
}

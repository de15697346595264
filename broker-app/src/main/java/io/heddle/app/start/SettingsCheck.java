package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.SettingOrigin;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Refuses wrong settings as soon as they are known: before a folder is made, and before the first server is started for nothing.
 * Then tells the web server where to listen.
 */
final class SettingsCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    static final int ORDER = LogDirectory.ORDER - 1;

    private final Map<String, String> variables;

    /** @param variables the environment */
    SettingsCheck(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        EnvironmentVariables.check(variables);
        PlatformSettings.checkOwn(environment.getPropertySources());
        PlatformSettings.checkKnown(environment.getPropertySources());
        UnknownSettings.check(environment.getPropertySources());
        LogConfiguration.requireReadable(environment);
        refuseDataDirectoryWithoutServers(environment);
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "where the HTTP listener is",
                        Map.of(
                                "server.address", settings.http().bind(),
                                "server.port", settings.http().port())));
    }

    /** It would be ignored, and the missing servers be blamed. */
    private static void refuseDataDirectoryWithoutServers(ConfigurableEnvironment environment) {
        ConfigurationProperty directory = SettingOrigin.find(environment, StandaloneSettings.KEY);
        if (directory != null && !environment.acceptsProfiles(StandaloneSettings.PROFILE)) {
            throw new StartupException(
                    StandaloneSettings.KEY + " (--data-dir)" + SettingOrigin.of(directory)
                            + " is set, which belongs to the profile standalone, in which a broker brings its own Kafka,"
                            + " Redis and PostgreSQL: start with ./heddle, which always has it, or remove the setting and"
                            + " name your servers",
                    null);
        }
    }
}

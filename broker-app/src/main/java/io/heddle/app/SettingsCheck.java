package io.heddle.app;

import io.heddle.app.settings.EnvironmentVariables;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.PlatformSettings;
import io.heddle.app.settings.UnknownSettings;
import java.util.Map;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
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
        UnknownSettings.check(environment.getPropertySources());
        HeddleSettings settings = Binder.get(environment).bindOrCreate(HeddleSettings.PREFIX, HeddleSettings.class);
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "where the HTTP listener is",
                        Map.of(
                                "server.address", settings.http().bind(),
                                "server.port", settings.http().port())));
    }
}

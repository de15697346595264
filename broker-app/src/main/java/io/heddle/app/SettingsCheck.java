package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * Refuses wrong settings as soon as they are known: before the first server is started for nothing, and before the web server's
 * own settings, which are made from them, fail in their place.
 */
final class SettingsCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    @Override
    public int getOrder() {
        return LogDirectory.ORDER - 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        // The environment and the JVM's properties may hold names of others that begin like ours.
        Binder.get(event.getEnvironment())
                .bindOrCreate(
                        HeddleSettings.PREFIX,
                        Bindable.of(HeddleSettings.class),
                        new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
    }
}

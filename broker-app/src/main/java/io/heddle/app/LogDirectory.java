package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.StandaloneSettings;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/** In the profile {@code standalone} the log goes to the data directory; says so before logging begins. */
final class LogDirectory implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** What {@code logback-spring.xml} reads. */
    private static final String PROPERTY = "heddle.log.directory";

    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER - 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (event.getEnvironment().acceptsProfiles(StandaloneServers.PROFILE)) {
            StandaloneSettings settings = Binder.get(event.getEnvironment())
                    .bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
            System.setProperty(PROPERTY, settings.dataDirectory().resolve("log").toString());
        }
    }
}

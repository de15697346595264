package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.StandaloneSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
            Path directory = settings.dataDirectory();
            if (createPrivately(directory)) {
                System.setProperty(PROPERTY, directory.resolve("log").toString());
            }
        }
    }

    /** For the owner alone, as the servers' passwords will be in it. When it can't be had, the servers' start says why. */
    private static boolean createPrivately(Path directory) {
        try {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return Files.isWritable(directory);
        } catch (IOException e) {
            return false;
        }
    }
}

package io.heddle.app;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/**
 * In the profile {@code standalone} the log goes to the data directory; makes the folder, readable by the broker's user only,
 * and says where it is before logging begins.
 */
final class LogDirectory implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    static final int ORDER = LoggingApplicationListener.DEFAULT_ORDER - 1;

    /** What {@code logback-spring.xml} reads. */
    private static final String PROPERTY = "heddle.log.directory";

    /** As that file names it. */
    private static final String FILE = "heddle.log";

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (event.getEnvironment().acceptsProfiles(StandaloneServers.PROFILE)) {
            StandaloneSettings settings = Binder.get(event.getEnvironment())
                    .bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
            Path log = settings.dataDirectory().resolve("log");
            create(log);
            System.setProperty(PROPERTY, log.toString());
        }
    }

    /** Logging answers a folder that it cannot write with stack traces; the operator is to get a sentence. */
    private static void create(Path log) {
        try {
            Files.createDirectories(
                    log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw unwritable(log, e);
        }
        Path file = log.resolve(FILE);
        if (!Files.isWritable(log)) {
            throw unwritable(log, null);
        }
        if (Files.exists(file) && !Files.isWritable(file)) {
            throw unwritable(file, null);
        }
    }

    private static StartupException unwritable(Path path, @Nullable IOException cause) {
        return new StartupException(
                path + " cannot be written" + (cause == null ? "" : " (" + cause + ")")
                        + ": make it writable, or name another data directory with --data-dir"
                        + " (heddle.standalone.data-dir)",
                cause);
    }
}

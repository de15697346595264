package io.heddle.app.start;

import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.DataDirectory;
import io.heddle.standalone.StandaloneException;
import io.heddle.standalone.WriteErrorMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** Logback finds the files of earlier days by a pattern that has the directory in it as it is. */
    private static final Pattern UNUSABLE = Pattern.compile("[*?+|^{}()%\\[\\]]");

    /** As that file names it. */
    private static final String FILE = "heddle.log";

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        if (event.getEnvironment().acceptsProfiles(StandaloneSettings.PROFILE)) {
            StandaloneSettings settings = Binder.get(event.getEnvironment())
                    .bindOrCreate(HeddleSettings.PREFIX + ".standalone", StandaloneSettings.class);
            Path data = settings.dataDirectory();
            requireUsable(data);
            Path log = data.resolve("log");
            create(log);
            System.setProperty(PROPERTY, log.toString());
        }
    }

    private static void requireUsable(Path data) {
        try {
            DataDirectory.requireUsableName(data);
            DataDirectory.requireOwn(data);
            // Or there would be a log that the directory's owner can't write to.
            DataDirectory.requireOwner(data);
        } catch (StandaloneException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
        Matcher unusable = UNUSABLE.matcher(data.toString());
        if (unusable.find()) {
            throw new StartupException(
                    "the data directory " + data + " has the character " + unusable.group()
                            + " in its name, with which the log's files cannot be told apart: name another one with"
                            + " --data-dir (heddle.standalone.data-dir)",
                    null);
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
        // Not Files.isWritable: a full disk, for one, shows only when a file is made.
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static StartupException unwritable(Path path, IOException cause) {
        return new StartupException(WriteErrorMessage.sentence(path.toString(), path, cause), cause);
    }
}

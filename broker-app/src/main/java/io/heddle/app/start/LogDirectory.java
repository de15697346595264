package io.heddle.app.start;

import io.heddle.app.nodes.SupervisedNode;
import io.heddle.app.settings.HeddleSettings;
import io.heddle.app.settings.NodeSettings;
import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.directory.WriteErrorMessage;
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
 * Creates the log directory in the data directory (profile {@code standalone}), which only the user of the broker may read, and passes its path
 * to the log configuration.
 */
final class LogDirectory implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    static final int ORDER = LoggingApplicationListener.DEFAULT_ORDER - 1;

    /** Property that {@code logback-spring.xml} reads. */
    private static final String PROPERTY = "heddle.log.directory";

    /** Logback uses the path as part of a pattern to find the files of earlier days, without escaping it. */
    private static final Pattern UNUSABLE = Pattern.compile("[*?+|^{}()%\\[\\]]");

    /** Property with the name of the log file without its ending. The nodes of one machine have one file each. */
    private static final String NAME = "heddle.log.name";

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
            String name = SupervisedNode.isThisProcess()
                    ? "heddle-"
                            + Binder.get(event.getEnvironment())
                                    .bindOrCreate(HeddleSettings.PREFIX + ".node", NodeSettings.class)
                                    .id()
                    : "heddle";
            create(log, name + ".log");
            System.setProperty(PROPERTY, log.toString());
            System.setProperty(NAME, name);
        }
    }

    private static void requireUsable(Path data) {
        try {
            DataDirectory.requireUsable(data);
        } catch (StandaloneException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        }
        Matcher unusable = UNUSABLE.matcher(data.toString());
        if (unusable.find()) {
            throw new StartupException(
                    "the data directory " + data + " has the character " + unusable.group()
                            + " in its name, which breaks the rotation of log files: choose another directory with"
                            + " --data-dir (heddle.standalone.data-dir)",
                    null);
        }
    }

    /** Creates the directory and file here, because logback prints stack traces if it cannot. */
    private static void create(Path log, String name) {
        try {
            Files.createDirectories(
                    log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw unwritable(log, e);
        }
        Path file = log.resolve(name);
        // Files.isWritable does not detect a full disk.
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

package io.heddle.app.settings;

import java.nio.file.Path;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The servers that the one-command broker brings along (profile "standalone").
 *
 * @param dataDir where Kafka, Redis and PostgreSQL keep their data, and the logs; ~ is the home directory
 */
public record StandaloneSettings(@DefaultValue("~/.heddle") String dataDir) {
    private static final String HOME = "~/";

    /** The directory, absolute. */
    public Path dataDirectory() {
        String home = System.getProperty("user.home", ".");
        Path path = dataDir.startsWith(HOME) ? Path.of(home, dataDir.substring(HOME.length())) : Path.of(dataDir);
        return path.toAbsolutePath().normalize();
    }
}

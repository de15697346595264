package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Profiles;
import org.springframework.util.unit.DataSize;

/**
 * Servers that ./heddle starts (profile "standalone").
 *
 * @param dataDir directory for the data of Kafka, Redis and PostgreSQL and for logs; ~ is HOME, else the home directory of the account
 * @param redis Redis server to run: auto (a redis-server or valkey-server on the PATH that is newer than the bundled one, else the bundled
 *     one), bundled, or the path of such a program
 * @param minimumFree minimum free space of the disk of the data directory; below it PUBLISH packets that must be stored are refused with
 *     reason code 0x97 and the broker is not ready; 0B means a fiftieth of the disk, but at least 256MB and at most 1GB
 */
public record StandaloneSettings(
        @DefaultValue(DEFAULT_DATA_DIR) String dataDir,
        @DefaultValue("auto") String redis,
        @DefaultValue("0B") DataSize minimumFree) {
    public static final String KEY = "heddle.standalone.data-dir";

    public static final String DEFAULT_DATA_DIR = "~/.heddle";

    /** The profile in which a broker starts its own Kafka, Redis and PostgreSQL. */
    public static final Profiles PROFILE = Profiles.of("standalone");

    private static final String HOME = "~";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./~-]+");
    private static final int FREE_SHARE_OF_DISK = 50;

    public StandaloneSettings {
        SettingRule.notBlank(KEY, dataDir, DEFAULT_DATA_DIR);
        SettingRule.notBlank("heddle.standalone.redis", redis, "auto");
        ByteLimit.between("heddle.standalone.minimum-free", minimumFree, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    }

    /** Returns defaults with the given data directory. */
    public static StandaloneSettings of(String dataDir) {
        return new StandaloneSettings(dataDir, "auto", DataSize.ofBytes(0));
    }

    /** Returns the command-line option for this data directory, after a space; empty for the default. */
    public String option() {
        return dataDir.equals(DEFAULT_DATA_DIR)
                ? ""
                : " --data-dir "
                        + (PLAIN.matcher(dataDir).matches() ? dataDir : "'" + dataDir.replace("'", "'\\''") + "'");
    }

    /** Returns the minimum free space of a disk of the given size. */
    public long minimumFreeBytes(long diskBytes) {
        return minimumFree.toBytes() > 0
                ? minimumFree.toBytes()
                : Math.clamp(
                        diskBytes / FREE_SHARE_OF_DISK,
                        DataSize.ofMegabytes(256).toBytes(),
                        DataSize.ofGigabytes(1).toBytes());
    }

    /** Returns the absolute path. Throws StartupException if the setting is not a path. */
    public Path dataDirectory() {
        return dataDirectory(System.getenv("HOME"), System.getProperty("user.home", "."));
    }

    /**
     * Resolves ~ with the given home directories.
     *
     * @param variable HOME, which other programs use; null if it is not set
     * @param account home directory in the user database of the system, the only one that Java uses
     */
    Path dataDirectory(@Nullable String variable, String account) {
        String home = variable == null || variable.isEmpty() ? account : variable;
        boolean atHome = dataDir.equals(HOME) || dataDir.startsWith(HOME + "/");
        try {
            return Path.of(atHome ? home + dataDir.substring(HOME.length()) : dataDir)
                    .toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException e) {
            throw new StartupException(
                    KEY + " (--data-dir) has characters that the locale of this process cannot represent ("
                            + System.getProperty("sun.jnu.encoding")
                            + "): set LC_ALL to a UTF-8 locale such as C.UTF-8, or choose another directory",
                    e);
        }
    }
}

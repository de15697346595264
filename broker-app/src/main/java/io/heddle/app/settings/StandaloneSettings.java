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
 * The servers that the one-command broker brings along (profile "standalone").
 *
 * @param dataDir where Kafka, Redis and PostgreSQL keep their data, and the logs; ~ is HOME, else the account's home directory
 * @param redis the Redis that runs: auto (a redis-server or valkey-server on the PATH that is newer than the bundled one, else the
 *     bundled one), bundled, or the path of such a program
 * @param minimumFree the free space of the disk of the data directory below which publications that must be stored are refused with
 *     reason code 0x97 and the broker is not ready; 0B means a fiftieth of the disk, but at least 256MB and at most 1GB
 */
public record StandaloneSettings(
        @DefaultValue(DEFAULT_DATA_DIR) String dataDir,
        @DefaultValue("auto") String redis,
        @DefaultValue("0B") DataSize minimumFree) {
    /** Of the only one. */
    public static final String KEY = "heddle.standalone.data-dir";

    /** Where data is kept unless another directory is named. */
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

    /** The settings of a data directory, with the defaults for all else. */
    public static StandaloneSettings of(String dataDir) {
        return new StandaloneSettings(dataDir, "auto", DataSize.ofBytes(0));
    }

    /** The option that names the data directory to another command, with a blank before it; empty for the default. */
    public String option() {
        return dataDir.equals(DEFAULT_DATA_DIR)
                ? ""
                : " --data-dir "
                        + (PLAIN.matcher(dataDir).matches() ? dataDir : "'" + dataDir.replace("'", "'\\''") + "'");
    }

    /** The least free space of a disk of that size. */
    public long minimumFreeBytes(long diskBytes) {
        return minimumFree.toBytes() > 0
                ? minimumFree.toBytes()
                : Math.clamp(
                        diskBytes / FREE_SHARE_OF_DISK,
                        DataSize.ofMegabytes(256).toBytes(),
                        DataSize.ofGigabytes(1).toBytes());
    }

    /** The directory, absolute. Throws StartupException when it cannot be one. */
    public Path dataDirectory() {
        return dataDirectory(System.getenv("HOME"), System.getProperty("user.home", "."));
    }

    /**
     * The same for the homes given.
     *
     * @param variable as every other program takes it; null when it is not set
     * @param account where the system's list of users says it is, which is all that Java looks at
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
                    KEY + " (--data-dir) has characters that this system's locale has no names for ("
                            + System.getProperty("sun.jnu.encoding")
                            + "): set LC_ALL to a UTF-8 locale such as C.UTF-8, or name another directory",
                    e);
        }
    }
}

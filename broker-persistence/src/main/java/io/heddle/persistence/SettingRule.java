package io.heddle.persistence;

import io.heddle.core.lifecycle.StartupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Validation rules of settings. A violation is a {@link StartupException} that names the setting and its valid values. */
public final class SettingRule {
    private SettingRule() {}

    /**
     * Requires a text that is not blank.
     *
     * @param example a valid value for the error message
     */
    public static void notBlank(String setting, String value, String example) {
        if (value.isBlank()) {
            throw new StartupException(setting + " is empty: set it, for example to " + example, null);
        }
    }

    /** Requires a number within inclusive bounds. */
    public static void between(String setting, int value, int minimum, int maximum) {
        if (value < minimum || value > maximum) {
            throw new StartupException(
                    setting + " is " + value + ": set it to a number from " + minimum + " to " + maximum, null);
        }
    }

    /** Requires a size in bytes within inclusive bounds. */
    public static void bytesBetween(String setting, long value, long minimum, long maximum) {
        if (value < minimum || value > maximum) {
            throw new StartupException(
                    setting + " is " + value + "B: set it to a size from " + minimum + "B to " + maximum + "B", null);
        }
    }

    /** Requires a duration within inclusive bounds. */
    public static void between(String setting, Duration value, Duration minimum, Duration maximum) {
        if (value.compareTo(minimum) < 0 || value.compareTo(maximum) > 0) {
            throw new StartupException(
                    setting + " is " + seconds(value) + ": set it to a duration from " + seconds(minimum) + " to "
                            + seconds(maximum),
                    null);
        }
    }

    /** Requires a file that the user of this process can read. */
    public static void readable(String setting, Path file) {
        if (!Files.isRegularFile(file)) {
            throw new StartupException(
                    setting + " is " + file + ", which is no file: correct the path, or create the file", null);
        }
        if (!Files.isReadable(file)) {
            throw new StartupException(
                    setting + " is " + file + ", which user " + System.getProperty("user.name")
                            + " may not read: change its owner or its permissions",
                    null);
        }
    }

    /** Formats a duration as in settings: {@code 5s}, {@code 250ms}. */
    public static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}

package io.heddle.persistence;

import io.heddle.core.lifecycle.StartupException;
import java.time.Duration;

/** The rules that several settings share; a broken one is the sentence that its person reads. */
public final class SettingRule {
    private SettingRule() {}

    /**
     * A text that must be there.
     *
     * @param example what it might look like
     */
    public static void notBlank(String setting, String value, String example) {
        if (value.isBlank()) {
            throw new StartupException(setting + " is empty: set it, for example to " + example, null);
        }
    }

    /** A number with bounds, both included. */
    public static void between(String setting, int value, int least, int most) {
        if (value < least || value > most) {
            throw new StartupException(
                    setting + " is " + value + ": set it to a number from " + least + " to " + most, null);
        }
    }

    /** A size in bytes with bounds, both included. */
    public static void bytesBetween(String setting, long value, long least, long most) {
        if (value < least || value > most) {
            throw new StartupException(
                    setting + " is " + value + "B: set it to a size from " + least + "B to " + most + "B", null);
        }
    }

    /** A duration with bounds, both included. */
    public static void between(String setting, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new StartupException(
                    setting + " is " + seconds(value) + ": set it to a duration from " + seconds(least) + " to "
                            + seconds(most),
                    null);
        }
    }

    /** A duration as people write it in settings: {@code 5s}, {@code 250ms}. */
    public static String seconds(Duration duration) {
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}

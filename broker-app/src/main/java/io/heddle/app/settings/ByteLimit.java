package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import org.springframework.util.unit.DataSize;
import org.springframework.util.unit.DataUnit;

/** Validation of settings that are sizes. A violation is a StartupException with the sentence for the operator. */
final class ByteLimit {
    private ByteLimit() {}

    /** Checks inclusive bounds. */
    static void between(String setting, DataSize value, DataSize least, DataSize most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new StartupException(
                    setting + " is " + written(value) + ": set it to a size from " + written(least) + " to "
                            + written(most),
                    null);
        }
    }

    /** Checks a minimum that is another setting. */
    static void atLeast(String setting, DataSize value, String otherSetting, DataSize other) {
        if (value.compareTo(other) < 0) {
            throw new StartupException(
                    setting + " is " + written(value) + ", less than " + otherSetting + ": set it to " + written(other)
                            + " or more",
                    null);
        }
    }

    /** Formats a size like the value of a setting: {@code 64KB}. */
    private static String written(DataSize size) {
        long bytes = size.toBytes();
        for (DataUnit unit : new DataUnit[] {DataUnit.GIGABYTES, DataUnit.MEGABYTES, DataUnit.KILOBYTES}) {
            long one = DataSize.of(1, unit).toBytes();
            if (bytes != 0 && bytes % one == 0) {
                return bytes / one + suffix(unit);
            }
        }
        return bytes + "B";
    }

    private static String suffix(DataUnit unit) {
        return unit == DataUnit.GIGABYTES ? "GB" : unit == DataUnit.MEGABYTES ? "MB" : "KB";
    }
}

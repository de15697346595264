package io.heddle.app.admin.access;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.springframework.boot.convert.DurationStyle;

final class TimeFromNow {
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,6}[smhd]");

    private TimeFromNow() {}

    /** Returns the time after the duration that the option {@code --for} names, as the REST API reads it. Throws StartupException. */
    static String of(String duration) {
        if (!DURATION.matcher(duration).matches()) {
            throw new StartupException(
                    "--for is " + ControlCharacters.escaped(duration) + ": use a duration such as 30m, 12h or 7d",
                    null);
        }
        return Instant.now()
                .plus(DurationStyle.SIMPLE.parse(duration))
                .truncatedTo(ChronoUnit.MILLIS)
                .toString();
    }
}

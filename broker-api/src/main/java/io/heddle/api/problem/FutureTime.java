package io.heddle.api.problem;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Reads the end of something from a body. */
public final class FutureTime {
    private static final int MAXIMUM_DAYS = 36_500;

    private FutureTime() {}

    /** Returns a time in UTC in milliseconds, or null if it is none, past, or more than 100 years away. */
    public static @Nullable Instant parse(String text, Instant now) {
        try {
            Instant time = Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
            return time.isAfter(now) && time.isBefore(now.plus(MAXIMUM_DAYS, ChronoUnit.DAYS)) ? time : null;
        } catch (DateTimeParseException notATime) {
            return null;
        }
    }
}

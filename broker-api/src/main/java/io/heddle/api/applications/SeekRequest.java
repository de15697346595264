package io.heddle.api.applications;

import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.delivery.application.LogPosition;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * Where a client continues to read. Exactly one of {@code to}, {@code time} and {@code offset} is given.
 *
 * @param time in ISO 8601, of the first message: the time at which its publisher's node appended it
 * @param offset of the first message; one outside the log means its beginning or its end
 */
record SeekRequest(
        @Nullable String clientId,
        @Nullable End to,
        @Nullable String time,
        @Nullable Long offset) {
    enum End {
        BEGINNING,
        END
    }

    LogPosition position() {
        int given = (to == null ? 0 : 1) + (time == null ? 0 : 1) + (offset == null ? 0 : 1);
        new FieldProblems()
                .require(given == 1, "to", "Give one of to (BEGINNING or END), time and offset.")
                .require(offset == null || offset >= 0, "offset", "Use a number of at least 0.")
                .throwIfAny();
        if (time != null) {
            return since(time);
        }
        if (offset != null) {
            return new LogPosition.Sequence(offset);
        }
        return switch (to) {
            case BEGINNING -> LogPosition.Beginning.BEGINNING;
            case END -> LogPosition.End.END;
            case null -> throw RequestProblem.invalid("to", "Use BEGINNING or END.");
        };
    }

    private static LogPosition since(String time) {
        try {
            return new LogPosition.Since(Instant.parse(time).toEpochMilli());
        } catch (DateTimeParseException | ArithmeticException notATime) {
            throw RequestProblem.invalid("time", "Use a time in UTC such as 2026-11-01T10:00:00Z.");
        }
    }
}

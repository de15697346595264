package io.heddle.core.delivery.application;

public sealed interface LogPosition {
    /** The oldest message that the log still has. */
    enum Beginning implements LogPosition {
        BEGINNING
    }

    /** Behind the newest message. */
    enum End implements LogPosition {
        END
    }

    /**
     * The first message that was appended at a time or later.
     *
     * @param millis since 1970
     */
    record Since(long millis) implements LogPosition {}

    /**
     * A sequence number. One before the beginning of the log or behind its end means that end.
     *
     * @param sequence 0 or higher
     */
    record Sequence(long sequence) implements LogPosition {}
}

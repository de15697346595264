package io.heddle.core.retained;

import java.util.Locale;

public sealed interface RetainOutcome {
    /** The message was applied. */
    enum Done implements RetainOutcome {
        /** Its topic had no retained message. */
        STORED,
        /** It replaced the retained message of its topic. */
        REPLACED,
        /** It has no payload or has expired; the retained message of its topic was removed. */
        REMOVED,
        /** It has no payload or has expired; its topic had no retained message. */
        NOTHING_TO_REMOVE
    }

    /** The message exceeds a limit; the retained messages are unchanged. */
    enum Refused implements RetainOutcome {
        /** {@link RetainedLimits#maximumMessages}. */
        MAXIMUM_MESSAGES,
        /** {@link RetainedLimits#maximumBytes}. */
        MAXIMUM_BYTES,
        /** {@link RetainedLimits#maximumPayloadBytes}. */
        MAXIMUM_PAYLOAD,
        /** {@link RetainedLimits#maximumMessagesPerClient}. */
        MAXIMUM_PER_CLIENT;

        private final String tag = name().toLowerCase(Locale.ROOT);

        /** Returns the lower-case name, for metric tags and log lines. */
        public String tag() {
            return tag;
        }
    }
}

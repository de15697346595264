package io.heddle.core.retained;

import java.util.Locale;

/** What became of a message with RETAIN. */
public sealed interface RetainOutcome {
    /** What is kept is now as the message says. */
    enum Done implements RetainOutcome {
        /** It is the first of its topic. */
        STORED,
        /** It took the place of another. */
        REPLACED,
        /** It had no payload or no lifetime, and the one of its topic is gone. */
        REMOVED,
        /** It had no payload or no lifetime, and its topic had none. */
        NOTHING_TO_REMOVE
    }

    /** A limit forbids to keep it: what was kept before still is. */
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

        /** The lower-case name, for metric tags and log lines. */
        public String tag() {
            return tag;
        }
    }
}

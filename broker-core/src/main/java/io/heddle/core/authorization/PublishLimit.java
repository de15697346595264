package io.heddle.core.authorization;

import java.util.Locale;

/**
 * A limit of what each of some clients may publish. {@link #toString} returns the line that {@link RuleSet#read} reads, such as {@code limit
 * messages 100/s for group meters}.
 *
 * @param perSecond at least 1; {@link Long#MAX_VALUE} for no limit
 * @param selector the clients that the limit is for
 */
public record PublishLimit(Kind kind, long perSecond, Selector selector) {
    /** What is counted. */
    public enum Kind {
        MESSAGES,
        /** Of topics and payloads. */
        BYTES;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String toString() {
        String value = perSecond == Long.MAX_VALUE ? "none" : perSecond + "/s";
        return "limit " + kind.word() + " " + value + " for " + selector;
    }
}

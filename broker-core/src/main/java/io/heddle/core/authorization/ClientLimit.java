package io.heddle.core.authorization;

import java.util.Locale;

/**
 * A limit of some clients. {@link #toString} returns the line that {@link RuleSet#read} reads, such as {@code limit messages 100/s for group
 * meters}.
 *
 * @param maximum at least 1; {@link Long#MAX_VALUE} for no limit
 * @param selector the clients that the limit is for
 */
public record ClientLimit(Kind kind, long maximum, Selector selector) {
    /** The quantity that a limit bounds. */
    public enum Kind {
        /** The PUBLISH packets of a client in a second. */
        MESSAGES,
        /** Of topics, payloads and properties of a client in a second. */
        BYTES,
        /** The PUBLISH packets that the broker sends to a client in a second. */
        MESSAGES_OUT,
        /** Of topics, payloads and properties that the broker sends to a client in a second. */
        BYTES_OUT,
        /** The clients with the same user name that are connected to a node. */
        CONNECTIONS;

        boolean isRate() {
            return this != CONNECTIONS;
        }

        boolean isOfBytes() {
            return this == BYTES || this == BYTES_OUT;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    @Override
    public String toString() {
        String value = maximum == Long.MAX_VALUE ? "none" : maximum + (kind.isRate() ? "/s" : "");
        return "limit " + kind.word() + " " + value + " for " + selector;
    }
}

package io.heddle.core.authorization;

/** The limits of a client for a second: messages, and bytes of topics, payloads and properties; {@link Long#MAX_VALUE} for no limit. */
public record PublishLimits(long messages, long bytes) {
    /** No limits. */
    public static final PublishLimits NONE = new PublishLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns whether there is a limit. */
    public boolean exist() {
        return messages != Long.MAX_VALUE || bytes != Long.MAX_VALUE;
    }
}

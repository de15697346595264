package io.heddle.core.authorization;

/** What a client may publish in a second, in messages and in bytes of topics, payloads and properties; {@link Long#MAX_VALUE} for any number. */
public record PublishLimits(long messages, long bytes) {
    /** No limits. */
    public static final PublishLimits NONE = new PublishLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns whether there is a limit. */
    public boolean exist() {
        return messages != Long.MAX_VALUE || bytes != Long.MAX_VALUE;
    }
}

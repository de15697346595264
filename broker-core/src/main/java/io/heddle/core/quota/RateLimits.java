package io.heddle.core.quota;

/**
 * The limits of the messages that one client publishes, or of those that it receives; {@link Long#MAX_VALUE} for none.
 *
 * @param messages in a second
 * @param bytes of topics, payloads and properties in a second
 */
public record RateLimits(long messages, long bytes) {
    /** No limits. */
    public static final RateLimits NONE = new RateLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    public boolean isLimited() {
        return messages != Long.MAX_VALUE || bytes != Long.MAX_VALUE;
    }
}

package io.heddle.core.authorization;

/**
 * The limits of a client; {@link Long#MAX_VALUE} for none.
 *
 * @param messages that it publishes in a second
 * @param bytes of topics, payloads and properties that it publishes in a second
 * @param connections of its user to a node
 */
public record ClientLimits(long messages, long bytes, long connections) {
    /** No limits. */
    public static final ClientLimits NONE = new ClientLimits(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns whether there is a limit of what it publishes. */
    public boolean limitPublishes() {
        return messages != Long.MAX_VALUE || bytes != Long.MAX_VALUE;
    }
}

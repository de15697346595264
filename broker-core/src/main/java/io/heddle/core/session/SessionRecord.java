package io.heddle.core.session;

import io.heddle.core.client.ClientType;
import org.jspecify.annotations.Nullable;

/**
 * A persistent session, as the whole cluster knows it by its client id.
 *
 * @param generation the epoch of the connection that began it
 * @param type where its messages wait
 * @param userName by which its client was authenticated, or null
 * @param expirySeconds how long it outlives its connection, 1 to 4,294,967,295; the highest is for ever
 * @param owner the incarnation of the node that its client is connected to, or empty when it is away
 * @param epoch of its last connection
 * @param awaySinceMillis the time of day when the client went; 0 while it is connected
 */
public record SessionRecord(
        long generation,
        ClientType type,
        @Nullable String userName,
        long expirySeconds,
        String owner,
        long epoch,
        long awaySinceMillis) {
    /** Whether no node has its client. */
    public boolean isAway() {
        return owner.isEmpty();
    }
}

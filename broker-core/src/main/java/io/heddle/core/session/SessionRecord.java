package io.heddle.core.session;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.packet.WillMessage;
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
 * @param will of the client's connection, or while it is away the one that waits for its delay; null when there is none
 */
public record SessionRecord(
        long generation,
        ClientType type,
        @Nullable String userName,
        long expirySeconds,
        String owner,
        long epoch,
        long awaySinceMillis,
        @Nullable WillMessage will) {
    private static final long MILLIS_PER_SECOND = 1_000;

    /** One without a will. */
    public SessionRecord(
            long generation,
            ClientType type,
            @Nullable String userName,
            long expirySeconds,
            String owner,
            long epoch,
            long awaySinceMillis) {
        this(generation, type, userName, expirySeconds, owner, epoch, awaySinceMillis, null);
    }

    /** Whether no node has its client. */
    public boolean isAway() {
        return owner.isEmpty();
    }

    /** The same with another will, or none. */
    SessionRecord withWill(@Nullable WillMessage other) {
        return new SessionRecord(generation, type, userName, expirySeconds, owner, epoch, awaySinceMillis, other);
    }

    /** The same with another epoch. */
    SessionRecord withEpoch(long other) {
        return new SessionRecord(generation, type, userName, expirySeconds, owner, other, awaySinceMillis, will);
    }

    /** The same when its client is connected, in a new epoch. */
    SessionRecord connected(
            @Nullable String by,
            long newExpirySeconds,
            String newOwner,
            long newEpoch,
            @Nullable WillMessage ofConnection) {
        return new SessionRecord(generation, type, by, newExpirySeconds, newOwner, newEpoch, 0, ofConnection);
    }

    /** The same when its client has gone. */
    SessionRecord away(long newExpirySeconds, long sinceMillis, @Nullable WillMessage waiting) {
        return new SessionRecord(generation, type, userName, newExpirySeconds, "", epoch, sinceMillis, waiting);
    }

    /** Whether its client is away and a will waits. */
    boolean isWillWaiting() {
        return will != null && isAway();
    }

    /** The time of day at which the session ends when its client stays away; only for one that ends. */
    long endMillis() {
        return awaySinceMillis + expirySeconds * MILLIS_PER_SECOND;
    }

    /** Whether its client was away for too long at this time of day. */
    boolean isOverAt(long nowMillis) {
        return isAway() && expirySeconds < SessionDeadlines.FOREVER_SECONDS && endMillis() <= nowMillis;
    }

    /** The time of day at which the delay of the will that waits is over; 0 when none waits. */
    long willDueMillis() {
        return will != null && isAway() ? awaySinceMillis + will.delaySeconds() * MILLIS_PER_SECOND : 0;
    }
}

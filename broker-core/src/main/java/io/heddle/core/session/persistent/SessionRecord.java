package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.packet.WillMessage;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a persistent session, known to the whole cluster by its client id.
 *
 * @param generation the epoch of the connection that began the session
 * @param type determines where the session's messages are stored: in a queue (DEVICE) or in a log (APPLICATION)
 * @param userName by which its client was authenticated, or null
 * @param expirySeconds the Session Expiry Interval, 0 to 4,294,967,295; the highest never expires
 * @param owner the incarnation of the node that its client is connected to, or empty when the client is away
 * @param epoch of its latest connection
 * @param awaySinceMillis the time of day of the disconnect; 0 while the client is connected
 * @param will of the connection; while the client is away, the will that waits for its delay; null for none
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
    /** The Session Expiry Interval of a session that never expires: MQTT 5.0, section 3.1.2.11.2. */
    public static final long FOREVER_SECONDS = 0xFFFF_FFFFL;

    private static final long MILLIS_PER_SECOND = 1_000;

    /** A record without a will. */
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

    /** Returns whether its client is connected to no node. */
    public boolean isAway() {
        return owner.isEmpty();
    }

    /** A copy with another will, or none. */
    SessionRecord withWill(@Nullable WillMessage other) {
        return new SessionRecord(generation, type, userName, expirySeconds, owner, epoch, awaySinceMillis, other);
    }

    /** A copy of a session that ends, in a new epoch. */
    SessionRecord ending(long newEpoch) {
        return new SessionRecord(generation, type, userName, 0, "", newEpoch, awaySinceMillis, will);
    }

    /** Returns whether the session is about to end, so that it belongs to no group of its shared subscriptions any more. */
    boolean isEnding() {
        return isAway() && expirySeconds == 0;
    }

    /** A copy with another epoch. */
    SessionRecord withEpoch(long other) {
        return new SessionRecord(generation, type, userName, expirySeconds, owner, other, awaySinceMillis, will);
    }

    /** A copy for a connected client, in a new epoch. */
    SessionRecord connected(
            @Nullable String by,
            long newExpirySeconds,
            String newOwner,
            long newEpoch,
            @Nullable WillMessage ofConnection) {
        return new SessionRecord(generation, type, by, newExpirySeconds, newOwner, newEpoch, 0, ofConnection);
    }

    /** A copy for a client that has disconnected. */
    SessionRecord disconnected(long newExpirySeconds, long sinceMillis, @Nullable WillMessage waiting) {
        return new SessionRecord(generation, type, userName, newExpirySeconds, "", epoch, sinceMillis, waiting);
    }

    /** Returns whether its client is away and a will waits. */
    boolean isWillWaiting() {
        return will != null && isAway();
    }

    /** The time of day at which the session expires if its client stays away. Only for a session that expires. */
    long endMillis() {
        return awaySinceMillis + expirySeconds * MILLIS_PER_SECOND;
    }

    /**
     * Returns whether the session has expired at this time of day. A session that ends with its connection has, because the clock of this node
     * may be behind that of the node that wrote the record.
     */
    public boolean isOverAt(long nowMillis) {
        return isAway() && expirySeconds < FOREVER_SECONDS && (expirySeconds == 0 || endMillis() <= nowMillis);
    }

    /**
     * The time of day at which the delay of the waiting will is over. 0 when none waits, and for a will without delay, because the clock of
     * this node may be behind that of the node that wrote the record.
     */
    long willDueMillis() {
        return will != null && isAway() && will.delaySeconds() > 0
                ? awaySinceMillis + will.delaySeconds() * MILLIS_PER_SECOND
                : 0;
    }
}

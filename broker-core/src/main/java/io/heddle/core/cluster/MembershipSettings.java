package io.heddle.core.cluster;

import java.time.Duration;

/**
 * The settings of {@link Membership}.
 *
 * @param node this node
 * @param isAlone whether no other process can use these stores, so that every other member is dead
 * @param lease a member that is silent for this time is declared dead; a multiple of the heartbeat interval
 * @param heartbeatInterval the time between two heartbeats
 * @param timeout the maximum wait for an answer of the log
 */
public record MembershipSettings(
        NodeDescription node, boolean isAlone, Duration lease, Duration heartbeatInterval, Duration timeout) {
    /** Returns the number of own heartbeats after which a silent member is declared dead. */
    long silentHeartbeats() {
        return Math.ceilDiv(lease.toNanos(), heartbeatInterval.toNanos());
    }

    /** Returns how long after it sent a heartbeat a node acknowledges messages: half the lease, far less than the others wait. */
    public Duration routingLease() {
        return lease.dividedBy(2);
    }

    /** Returns how long others wait for a frame of a member. A silent one is declared dead before; so the link to it must be cut. */
    public Duration patience() {
        return lease.multipliedBy(3).dividedBy(2);
    }

    /** Returns how long a link must not work until its other end is named in heartbeats. In less time, a link connects again by itself. */
    public Duration unreachableAfter() {
        return lease.multipliedBy(3).dividedBy(5);
    }

    /**
     * Returns the number of own heartbeats after which a thread that does not progress stands still. So early that the node is silent before others
     * name it because of links that its thread serves: of two nodes, the wrong one might have to leave.
     *
     * @param longest for which a thread may do one thing, such as wait for Kafka
     */
    public int stuckHeartbeats(Duration longest) {
        long nanos = Math.max(longest.toNanos(), lease.dividedBy(5).toNanos());
        return (int) Math.ceilDiv(nanos, heartbeatInterval.toNanos());
    }

    /** Returns the time within which a heartbeat must be read back to count. */
    long readBackNanos() {
        return 2 * heartbeatInterval.toNanos();
    }
}

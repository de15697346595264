package io.heddle.core.cluster;

/** The state of a member of the cluster. A member only moves forward. */
public enum MemberState {
    /** The node is a member and owns no buckets. */
    JOINED,
    /** The node may own buckets. */
    SERVING,
    /** The node is about to leave and owns buckets only if no node is serving. */
    DRAINING,
    /** The node must leave, because its links are broken: it owns no buckets, and its heartbeats are void. */
    CONDEMNED
}

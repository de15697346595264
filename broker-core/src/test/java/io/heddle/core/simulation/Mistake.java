package io.heddle.core.simulation;

/**
 * A mistake that the simulated adapters make on purpose, to prove that the simulation finds it. Each breaks one promise of a port in the
 * way that a careless change of the product would.
 */
public enum Mistake {
    /** PUBACK is sent before the append is durable. */
    ACKNOWLEDGE_BEFORE_APPEND,
    /** The marker of a QoS 2 publish is not in its transaction. */
    MARKER_NOT_WRITTEN,
    /** A QoS 2 message and its marker are appended without a transaction. */
    MARKER_NOT_ATOMIC,
    /** The messages of a will are committed before the record of its session. */
    WILL_NOT_ATOMIC,
    /** Readers of the bucket log see open and aborted transactions. */
    READ_UNCOMMITTED,
    /** A registration begins an empty queue although the session continues. */
    REGISTRATION_EMPTIES_QUEUE,
    /** A follower drops a subscription that precedes its session in the log. */
    EARLY_ROUTE_DROPPED,
    /** The position of the queues hides that Redis has rolled back. */
    ROLLBACK_NOT_DETECTED,
    /** A message leaves the queue when it is read, not when it is acknowledged. */
    QUEUE_FORGETS_ON_READ,
    /** SUBACK is sent before the route is durable. */
    ROUTE_NOT_AWAITED,
    /** The end of a session is answered before its record is durable. */
    END_NOT_AWAITED,
    /** A batch is applied although it does not follow the position of the queues. */
    GAP_IGNORED,
    /** The progress of an APPLICATION client is lost with the process. */
    PROGRESS_NOT_WRITTEN,
    /** The release of a QoS 2 marker is appended, so that it may arrive late. */
    RELEASE_APPENDED,
    /** A retained message is appended, so that it may arrive late. */
    RETAINED_APPENDED,
    /** A change of a session or subscription is appended, so that it may arrive late. */
    STATE_APPENDED,
    /** A producer is initialised again without asking whether another process has taken its place. */
    FENCE_UNDONE,
    /** A process fences its predecessor and declares it dead afterwards. */
    FENCED_BEFORE_DEAD,
    /** A process that has stood still routes messages before it knows whether another one has taken its place. */
    NO_ROUTING_LEASE,

    /** The frames of a broken connection are not sent again. */
    FRAMES_LOST_WITH_CONNECTION,
    /** The last frame of a broken connection is handled again. */
    FRAME_REPEATED,
    /** The holder of a bucket decides before it has read the log of its clients to the end. */
    HELD_BEFORE_READ,
    /** SUBACK of a persistent session does not wait for the other nodes. */
    NOT_SETTLED,
    /** SUBACK of a session that ends with its connection does not wait for the other nodes. */
    INTEREST_NOT_AWAITED,
    /** PUBACK does not wait for the receipts of other nodes. */
    RECEIPTS_NOT_AWAITED,
    /** The holder of a bucket does not tell the other nodes when it knows its position. */
    POSITION_NOT_TOLD,
    /** A node routes before the others wait for it. */
    NO_JOIN_BARRIER,
    /** A SUBSCRIBE takes effect after the PUBLISH that its connection has sent behind it. */
    PUBLISH_OVERTAKES_SUBSCRIBE,
    /** A client is granted its next connection before the will of the one before is stored. */
    GRANTED_BEFORE_WILL,

    /** One heartbeat that names a member condemns it, before the others have named theirs. */
    NAMED_ONCE_CONDEMNS,
    /** The nodes do not act upon a condemnation: they hear the heartbeats of the condemned node as before. */
    CONDEMNED_STILL_HEARD,
    /** A node serves although it does not reach a serving one. */
    SERVES_WITH_BROKEN_LINK,
    /** A node names a member that was slow and answers again. */
    SLOW_IS_NAMED,
    /** A QoS 2 message that its publisher repeats at another node is not sent to the subscribers of further nodes. */
    REPEAT_NOT_SPREAD,
    /** A repeated QoS 2 message is delivered by nodes that have delivered it before. */
    NAME_NOT_CHECKED
}

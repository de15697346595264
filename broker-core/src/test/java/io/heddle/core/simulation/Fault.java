package io.heddle.core.simulation;

/** A fault of the stores, the network or the broker's process. Each run of the simulation draws some of them. */
public enum Fault {
    /** {@code kill -9}; a new process follows if there are too few. */
    KILL(6),
    /** A process stands still for a while. */
    FREEZE(3),
    /** One partition has no leader for a while. */
    LEADER_AWAY(4),
    /** All of Kafka is away for a while. */
    KAFKA_AWAY(1),
    COORDINATOR_AWAY(2),
    /** The compacted topics keep the last record of each key only. */
    COMPACTION(3),
    REDIS_AWAY(2),
    REDIS_SLOW(2),
    /** Redis loses the writes of its last seconds. */
    REDIS_ROLLED_BACK(4),
    /** All clients lose their connections at once, or one client loses an answer with its connection. */
    NETWORK(3),
    /** The clocks of processes differ. */
    CLOCK_SKEW(2),
    /**
     * A process stands still and ends without waking up. Another one takes its place, and then the first one's buffered appends land: all that
     * is not committed.
     */
    LATE_APPENDS(3),
    /**
     * A process stands still for longer than its lease, another one takes its place, and the first one continues until it learns that: its
     * buffered appends land, and it works off what its sockets hold.
     */
    ZOMBIE(3),
    /**
     * A process stands still, another one takes its place and serves some of its clients, who begin sessions and subscribe. Then the first one
     * continues, and works off what its other clients have sent meanwhile.
     */
    STALE_ROUTES(3),
    /**
     * A process stands still with an open transaction whose partitions have no leaders, so that the one that takes its place cannot fence it.
     * The first one continues before it is fenced, and may stand still again when it is.
     */
    STUCK_FENCE(2),

    /** A node joins, and some buckets move to it. */
    JOIN(3),
    /** A node stops, and its buckets move to the others. */
    LEAVE(2),
    /** Two nodes do not reach each other for a while, or one does not reach the other. */
    LINK_CUT(5),
    /** The connections between two nodes break with all that is on its way. */
    LINK_BROKEN(4),
    /** The connections that one node has opened to another one carry nothing for a while. */
    LINK_ONE_WAY(3),
    /** The link between two nodes goes up and down for a while. */
    LINK_FLAP(2),
    /** The nodes are divided into two groups that do not reach each other. */
    LINK_HALVES(1),
    /** No node reaches another one, and Kafka is there. */
    LINKS_ALL(1),
    /** An event loop stands still for a while, and the heartbeats of its process go on. */
    STUCK_LOOP(2),
    /** A thread that follows a log stands still for a while. */
    STUCK_FOLLOWER(2),
    /** The records of nodes take up to three leases on their way. */
    SLOW_HEARTBEATS(2),
    /** A process stands still together with its monotonic clock. */
    CLOCK_STOPS(2);

    private final int weight;

    Fault(int weight) {
        this.weight = weight;
    }

    int weight() {
        return weight;
    }
}

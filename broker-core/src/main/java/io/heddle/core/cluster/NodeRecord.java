package io.heddle.core.cluster;

import java.util.Map;
import java.util.Set;

/** A record of the log of nodes, {@code heddle.nodes}. Every record but {@link Joined} names the incarnation that wrote it. */
public sealed interface NodeRecord {
    /**
     * A node joins. The offset of this record and its random part are the incarnation.
     *
     * @param random drawn for this record
     */
    record Joined(NodeDescription node, int random) implements NodeRecord {}

    /** A record of a node that has joined. */
    sealed interface OfMember extends NodeRecord {
        Incarnation writer();
    }

    /**
     * A node is alive. Repeats all that the cluster knows of the node, because the log is kept for a limited time.
     *
     * @param number of this heartbeat in its incarnation, rising; tells the writer which heartbeat it reads back
     * @param followed the writer has applied all records below this offset of the log
     * @param buckets held by the writer at that offset
     * @param unreachable the members to which the writer has no working link, each with the offset of the third heartbeat in a row that
     *     named it, or {@link #NEW} until the writer has read that heartbeat
     */
    record Heartbeat(
            Incarnation writer,
            NodeDescription node,
            MemberState state,
            long number,
            long followed,
            Set<Integer> buckets,
            Map<Incarnation, Long> unreachable)
            implements OfMember {
        /** Instead of an offset: the member is not yet named by three heartbeats in a row. */
        public static final long NEW = -1;

        public Heartbeat {
            buckets = Set.copyOf(buckets);
            unreachable = Map.copyOf(unreachable);
        }
    }

    /** The node may own buckets from now on. */
    record Serving(Incarnation writer) implements OfMember {}

    /** The node is about to leave. */
    record Draining(Incarnation writer) implements OfMember {}

    /** The node takes buckets. Valid for each bucket without a holder that the writer rightfully owns. */
    record Took(Incarnation writer, Set<Integer> buckets) implements OfMember {
        public Took {
            buckets = Set.copyOf(buckets);
        }
    }

    /** The node no longer holds these buckets, and no commit of it for them is pending. */
    record Released(Incarnation writer, Set<Integer> buckets) implements OfMember {
        public Released {
            buckets = Set.copyOf(buckets);
        }
    }

    /**
     * An administrator has changed the rules for topics over this node. The record with the highest version counts.
     *
     * @param rules their text
     */
    record RulesChanged(Incarnation writer, long version, String rules) implements OfMember {}

    /**
     * A member must leave the cluster, because its links are broken. Valid if the view at this record {@linkplain View#mustLeave finds} the
     * same member. Whatever else that member writes is void, but for {@link Released} and {@link Left}.
     */
    record Condemned(Incarnation writer, Incarnation incarnation) implements OfMember {}

    /** The node has stopped in order. */
    record Left(Incarnation writer) implements OfMember {}

    /**
     * The writer declares another incarnation dead.
     *
     * @param lastRecord the offset of the last record of the dead incarnation; if there is a later one, the declaration is void
     */
    record Dead(Incarnation writer, Incarnation incarnation, long lastRecord) implements OfMember {}
}

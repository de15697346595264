package io.heddle.core.cluster;

import java.util.Map;

/**
 * A member of the cluster in a {@link View}.
 *
 * @param since the offset of the record that set the state; of none that the view has seen if it is below the view's beginning
 * @param lastRecord the offset of the last record that the member has written
 * @param followed the member had applied all records below this offset when it wrote its last heartbeat
 * @param recordsBehind the number of records of the log that the member had not applied when its last heartbeat was appended
 * @param unreachable as in its last heartbeat
 */
public record Member(
        Incarnation incarnation,
        NodeDescription node,
        MemberState state,
        long since,
        long lastRecord,
        long followed,
        long recordsBehind,
        Map<Incarnation, Long> unreachable) {
    /** A member whose first known record has this offset. */
    Member(Incarnation incarnation, NodeDescription node, MemberState state, long since, long offset) {
        this(incarnation, node, state, since, offset, 0, 0, Map.of());
    }

    Member in(MemberState next, long offset) {
        return new Member(incarnation, node, next, offset, offset, followed, recordsBehind, unreachable);
    }

    Member seenAt(long offset) {
        return new Member(incarnation, node, state, since, offset, followed, recordsBehind, unreachable);
    }

    /** Returns this member with the state that its heartbeat states, unless the heartbeat was written before the last change. */
    Member after(NodeRecord.Heartbeat beat, long offset) {
        return new Member(
                incarnation,
                node,
                beat.followed() > since ? beat.state() : state,
                since,
                offset,
                beat.followed(),
                Math.max(0, offset - beat.followed()),
                beat.unreachable());
    }
}

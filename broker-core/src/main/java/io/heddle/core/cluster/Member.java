package io.heddle.core.cluster;

/**
 * A member of the cluster in a {@link View}.
 *
 * @param since the offset of the record that set the state; of none that the view has seen if it is below the view's beginning
 * @param lastRecord the offset of the last record that the member has written
 * @param recordsBehind the number of records of the log that the member had not applied when its last heartbeat was appended
 */
public record Member(
        Incarnation incarnation,
        NodeDescription node,
        MemberState state,
        long since,
        long lastRecord,
        long recordsBehind) {
    /** A member whose first known record has this offset. */
    Member(Incarnation incarnation, NodeDescription node, MemberState state, long since, long offset) {
        this(incarnation, node, state, since, offset, 0);
    }

    Member in(MemberState next, long offset) {
        return new Member(incarnation, node, next, offset, offset, recordsBehind);
    }

    Member seenAt(long offset) {
        return new Member(incarnation, node, state, since, offset, recordsBehind);
    }

    /** Returns this member with the state that its heartbeat states, unless the heartbeat was written before the last change. */
    Member after(NodeRecord.Heartbeat beat, long offset) {
        return new Member(
                incarnation,
                node,
                beat.followed() > since ? beat.state() : state,
                since,
                offset,
                Math.max(0, offset - beat.followed()));
    }
}

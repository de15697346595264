package io.heddle.core.cluster;

import io.heddle.core.cluster.NodeRecord.Heartbeat;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The serving members that this node names in its heartbeats because its link to them does not work. Not thread-safe: guarded by the lock of
 * {@link Membership}.
 *
 * <p>A link does not work if the other member has handled nothing for a while, not even a probe. A frozen member handles nothing either, but its
 * heartbeats stop, and it is declared dead. So this node names a member only if the heartbeats of both went on the whole time.
 */
final class UnreachablePeers {
    /** After a longer pause between two heartbeats, of this node or of a member, the observation of the link begins again. */
    private static final int LATE_HEARTBEATS = 4;

    /** The number of heartbeats in a row after which a name counts. */
    private static final int LASTING = 3;

    private final MembershipSettings settings;
    private final Map<Incarnation, Long> observedSince = new HashMap<>();
    private final Map<Incarnation, Named> named = new HashMap<>();
    private ToLongFunction<Incarnation> silentNanos = _ -> 0;
    private long beatNanos;
    private long steadySinceNanos;

    /** @param third the offset of the third heartbeat in a row, or {@link Heartbeat#NEW} */
    private record Named(int heartbeats, long third) {}

    UnreachablePeers(MembershipSettings settings, long nowNanos) {
        this.settings = settings;
        this.beatNanos = nowNanos;
        this.steadySinceNanos = nowNanos;
    }

    /** @param silentNanos returns for how long the other end of a link has handled nothing */
    void observe(ToLongFunction<Incarnation> silentNanos) {
        this.silentNanos = silentNanos;
    }

    /** This node is about to write a heartbeat, or still waits for the last one. */
    void onBeat(long nowNanos) {
        if (nowNanos - beatNanos
                > LATE_HEARTBEATS * settings.heartbeatInterval().toNanos()) {
            steadySinceNanos = nowNanos;
        }
        beatNanos = nowNanos;
    }

    /**
     * A member has written a record.
     *
     * @param silence the heartbeats of this node since the record before
     */
    void onRecord(Incarnation writer, long silence, long nowNanos) {
        if (silence > LATE_HEARTBEATS) {
            observedSince.put(writer, nowNanos);
        } else {
            observedSince.putIfAbsent(writer, nowNanos);
        }
    }

    /**
     * Returns the members to name now.
     *
     * @param silence returns the heartbeats of this node since the last record of a member
     */
    Map<Incarnation, Long> names(View view, Incarnation me, ToLongFunction<Incarnation> silence, long nowNanos) {
        Map<Incarnation, Long> names = new HashMap<>();
        Member self = view.member(me);
        if (self == null || self.state() == MemberState.JOINED) {
            return names;
        }
        for (Member each : view.members()) {
            Incarnation other = each.incarnation();
            if (!other.equals(me)
                    && each.state() != MemberState.JOINED
                    && silence.applyAsLong(other) <= LATE_HEARTBEATS
                    && nowNanos - steadySinceNanos >= limit()
                    && nowNanos - observedSince.getOrDefault(other, nowNanos) >= limit()
                    && silentNanos.applyAsLong(other) >= limit()) {
                Named before = named.get(other);
                names.put(other, before == null ? Heartbeat.NEW : before.third);
            }
        }
        return names;
    }

    private long limit() {
        return settings.unreachableAfter().toNanos();
    }

    /** This node has read back its last heartbeat. */
    void onReadBack(Heartbeat beat, long offset) {
        named.keySet().retainAll(beat.unreachable().keySet());
        for (Incarnation each : beat.unreachable().keySet()) {
            Named before = named.getOrDefault(each, new Named(0, Heartbeat.NEW));
            int heartbeats = before.heartbeats + 1;
            named.put(each, new Named(heartbeats, heartbeats == LASTING ? offset : before.third));
        }
    }

    void retain(View view) {
        observedSince.keySet().removeIf(each -> !view.isMember(each));
        named.keySet().removeIf(each -> !view.isMember(each));
    }
}

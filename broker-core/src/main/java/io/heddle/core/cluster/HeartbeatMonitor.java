package io.heddle.core.cluster;

import io.heddle.core.cluster.NodeDescription.ProcessEvidence;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Numbers the heartbeats of this node (one in flight), and finds members that are silent for the lease, or whose process has ended. Not thread-safe: guarded by the lock of {@link Membership}.
 */
final class HeartbeatMonitor {
    /** Twice the time after which the log drops a heartbeat that Kafka does not accept. */
    private static final long LOST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(8);

    private final MembershipSettings settings;
    private final ProcessEvidence processes;
    private final SilenceCount silence = new SilenceCount();
    /** The last records of the members that this node has declared dead, while it waits for the declarations to count. */
    private final Map<Incarnation, Long> declared = new HashMap<>();
    /** The number of own heartbeats that were read back when a member was condemned. */
    private final Map<Incarnation, Long> condemned = new HashMap<>();

    private final UnreachablePeers unreachable;
    private long readBack;

    private long number;
    private boolean onItsWay;
    private long sentNanos;
    private long unansweredSinceNanos;
    private boolean isUnanswered;

    HeartbeatMonitor(MembershipSettings settings, ProcessEvidence processes, long nowNanos) {
        this.settings = settings;
        this.unreachable = new UnreachablePeers(settings, nowNanos);
        this.processes = processes;
    }

    UnreachablePeers unreachable() {
        return unreachable;
    }

    /** Returns the members to name in a heartbeat. */
    Map<Incarnation, Long> names(View view, Incarnation me, long nowNanos) {
        return unreachable.names(view, me, silence::of, nowNanos);
    }

    /** Returns whether the last heartbeat may still arrive. One that Kafka has accepted can be lost with the memory of its servers. */
    boolean isOnItsWay(long nowNanos) {
        return onItsWay && nowNanos - sentNanos < LOST_AFTER_NANOS;
    }

    /** Begins a heartbeat and returns its number. */
    long send(long nowNanos) {
        onItsWay = true;
        sentNanos = nowNanos;
        if (!isUnanswered) {
            isUnanswered = true;
            unansweredSinceNanos = nowNanos;
        }
        number++;
        return number;
    }

    /**
     * The log did not accept a heartbeat. A late arrival does not count.
     *
     * @return whether the log has accepted none for the lease
     */
    boolean onRefused(long refused, long nowNanos) {
        if (refused == number) {
            onItsWay = false;
        }
        return isUnanswered
                && nowNanos - unansweredSinceNanos >= settings.lease().toNanos();
    }

    /**
     * Counts a heartbeat of this node that was read back.
     *
     * @return the time on its way, or -1 if it is not the last one
     */
    long onReadBack(Heartbeat beat, long offset, long nowNanos) {
        boolean isLast = onItsWay && beat.number() == number;
        long took = nowNanos - sentNanos;
        silence.onOwnHeartbeat(isLast && took <= settings.readBackNanos());
        readBack++;
        if (isLast) {
            unreachable.onReadBack(beat, offset);
            onItsWay = false;
            isUnanswered = false;
        }
        return isLast ? took : -1;
    }

    /** A member other than this node wrote a record. */
    void onRecord(Incarnation writer, long nowNanos) {
        unreachable.onRecord(writer, silence.of(writer), nowNanos);
        silence.onRecord(writer);
    }

    /** A member must leave. From now on its heartbeats are void, so it is declared dead after the lease, however slow Kafka is. */
    void onCondemned(Incarnation member) {
        condemned.put(member, readBack);
    }

    void onMemberEnded(View view) {
        silence.retain(view);
        unreachable.retain(view);
        condemned.keySet().removeIf(each -> !view.isMember(each));
        declared.keySet().removeIf(each -> !view.isMember(each));
    }

    /**
     * Returns declarations for the members whose process has ended, and for those that are silent for the lease. The living member that joined
     * first declares after the lease; each further one waits a heartbeat longer, so that usually one node declares.
     */
    List<Dead> declarations(View view, Incarnation me) {
        List<Dead> deaths = new ArrayList<>();
        for (Member member : view.members()) {
            Incarnation other = member.incarnation();
            if (!other.equals(me) && (processes.hasEnded(member.node().process()) || isSilent(view, me, other))) {
                declare(member, me, deaths);
            }
        }
        return deaths;
    }

    private boolean isSilent(View view, Incarnation me, Incarnation other) {
        Long since = condemned.get(other);
        long heartbeats = since == null ? silence.of(other) : readBack - since;
        return heartbeats >= settings.silentHeartbeats() + rank(view, me, other);
    }

    /** Returns declarations for all other members, each once. */
    List<Dead> declarationsOfAll(View view, Incarnation me) {
        List<Dead> deaths = new ArrayList<>();
        for (Member member : view.members()) {
            if (!member.incarnation().equals(me)) {
                declare(member, me, deaths);
            }
        }
        return deaths;
    }

    private void declare(Member member, Incarnation me, List<Dead> deaths) {
        Long before = declared.put(member.incarnation(), member.lastRecord());
        if (before == null || before != member.lastRecord()) {
            deaths.add(new Dead(me, member.incarnation(), member.lastRecord()));
        }
    }

    /** The log did not accept a declaration, so the next run repeats it. */
    void onDeclarationRefused(Dead dead) {
        declared.remove(dead.incarnation(), dead.lastRecord());
    }

    /** Returns the number of members, without the silent one, that joined before this node. */
    private static long rank(View view, Incarnation me, Incarnation silent) {
        return view.members().stream()
                .map(Member::incarnation)
                .filter(each -> each.compareTo(me) < 0 && !each.equals(silent))
                .count();
    }

    /**
     * Counts how long other members are silent, in the order of the log and not by a clock: the heartbeats of this node since their last records.
     * A heartbeat counts only if this node read it back in time. One that took longer starts all counts again, because then Kafka or this node
     * was slow, and the others may have been silent for the same reason. Confined to one thread.
     */
    static final class SilenceCount {
        private final Map<Incarnation, Long> heard = new HashMap<>();
        private long beats;
        private long restart;

        /** Counts a heartbeat of this node that was read back. */
        void onOwnHeartbeat(boolean inTime) {
            beats++;
            if (!inTime) {
                restart = beats;
            }
        }

        /** Starts the count of a member that wrote a record. */
        void onRecord(Incarnation writer) {
            heard.put(writer, beats);
        }

        /** Returns the heartbeats of this node since the last record of a member. */
        long of(Incarnation member) {
            return beats - Math.max(restart, heard.getOrDefault(member, 0L));
        }

        /** Forgets all but the members. */
        void retain(View view) {
            heard.keySet().removeIf(each -> !view.isMember(each));
        }
    }
}

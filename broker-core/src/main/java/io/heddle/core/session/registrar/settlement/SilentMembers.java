package io.heddle.core.session.registrar.settlement;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.cluster.View;
import io.heddle.core.routing.interest.Suspicion;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures the silence of members between their last records and a heartbeat of this node that came back. The lease of a member ends a
 * duration after it sent its last record that is in the log. When this node reads its own heartbeat, it has read all records before it. So
 * the member had sent nothing that arrived before this node sent the heartbeat. Thread-safe. Bound: one entry for each member.
 */
public final class SilentMembers implements RoutingSilence, Suspicion {
    private static final int PATIENCE_IN_SILENCES = 2;

    private final RoutingLease lease;
    private final long silenceNanos;
    private final LongSupplier nanoTime;
    // Guarded by this.
    private final Map<Incarnation, Heard> heard = new HashMap<>();
    private long heartbeatNanos;

    private record Heard(long lastRecord, long nanos) {}

    /**
     * @param lease of this node, which tells when it sent the last heartbeat that it has read back
     * @param silence the routing lease of a member and a margin for the drift of its clock
     * @param nanoTime the clock of the lease
     */
    public SilentMembers(RoutingLease lease, Duration silence, LongSupplier nanoTime) {
        this.lease = lease;
        this.silenceNanos = silence.toNanos();
        this.nanoTime = nanoTime;
        this.heartbeatNanos = nanoTime.getAsLong();
    }

    /** The log of nodes was read further. Called for each view, on the thread of the log. */
    public synchronized void onView(View view) {
        long now = nanoTime.getAsLong();
        heard.keySet().removeIf(each -> !view.isMember(each));
        for (Member member : view.members()) {
            heard.compute(
                    member.incarnation(),
                    (_, before) -> before == null || before.lastRecord() != member.lastRecord()
                            ? new Heard(member.lastRecord(), now)
                            : before);
        }
        heartbeatNanos = lease.renewedNanos();
    }

    @Override
    public synchronized boolean isSuspected(Incarnation member, long sinceNanos) {
        return heartbeatNanos - sinceNanos > 0 && isSilent(member);
    }

    @Override
    public synchronized boolean isSilent(Incarnation member) {
        Heard last = heard.get(member);
        return last != null && heartbeatNanos - last.nanos() >= silenceNanos;
    }

    @Override
    public Duration patience() {
        return Duration.ofNanos(silenceNanos * PATIENCE_IN_SILENCES);
    }

    @Override
    public long nanoTime() {
        return nanoTime.getAsLong();
    }
}

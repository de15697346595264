package io.heddle.core.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how long other members are silent, in the order of the log and not by a clock: the heartbeats of this node since their last records.
 * A heartbeat counts only if this node read it back in time. One that took longer starts all counts again, because then Kafka or this node
 * was slow, and the others may have been silent for the same reason. Confined to one thread.
 */
public final class SilenceCount {
    private final Map<Incarnation, Long> heard = new HashMap<>();
    private long beats;
    private long restart;

    /** Counts a heartbeat of this node that was read back. */
    public void onOwnHeartbeat(boolean inTime) {
        beats++;
        if (!inTime) {
            restart = beats;
        }
    }

    /** Starts the count of a member that wrote a record. */
    public void onRecord(Incarnation writer) {
        heard.put(writer, beats);
    }

    /** Returns the heartbeats of this node since the last record of a member. */
    public long of(Incarnation member) {
        return beats - Math.max(restart, heard.getOrDefault(member, 0L));
    }

    /** Forgets all but the members. */
    public void retain(View view) {
        heard.keySet().removeIf(each -> !view.isMember(each));
    }
}

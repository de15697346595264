package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Throttles the replay of one bucket's backlog after an outage of its queues, so that the backlog does not evict itself from bounded queues.
 * The backlog is applied in portions of at most a quarter of a queue for any client. The next portion waits while a connected client has
 * more than half a queue to acknowledge. Belongs to the applying thread.
 *
 * <p>States: in step (no portions, no waiting) → unanswered → catching up, for twice the duration of the outage, at most {@value
 * #LONGEST_MILLIS} ms → in step. In that time, a client has caught up that receives half as much again as arrives. A client that acknowledges nothing for {@value #PATIENCE_MILLIS} ms is not waited for again until the bucket is in step, so
 * that it delays the others once. The clients of one other node have that patience together: when none of them has acknowledged anything
 * for so long, no client of that node is waited for. Bound: one entry for each connected session with
 * messages in the backlog, and for each node.
 */
final class CatchUpThrottle {
    static final long PATIENCE_MILLIS = 2_000;
    static final long LONGEST_MILLIS = 60_000;

    /** A shorter delay of an answer does not count as an outage. */
    private static final long OUTAGE_MILLIS = 250;
    /** The size of the replay after a rollback is unknown. */
    private static final long AFTER_ROLLBACK_MILLIS = 10_000;

    private static final int CATCH_UP_TIMES = 2;
    private static final int PORTIONS_OF_A_QUEUE = 4;
    private static final int BACKLOG_SHARE = 2;
    private static final long NONE = -1;

    private final QueueBounds bounds;
    private final SteadyClock clock;
    private final Timer waited;

    private long unansweredSinceMillis = NONE;
    private long untilMillis = NONE;
    private final Map<PushTarget, ClientBacklog> readers = new HashMap<>();
    private final Map<Incarnation, NodeBacklog> nodes = new HashMap<>();
    private final Set<PushTarget> inThisPortion = new LinkedHashSet<>();
    private long waitingSinceMillis = NONE;

    /** The queued messages of a connected client that are not acknowledged. */
    private static final class ClientBacklog {
        // The highest sequence number.
        private long sequence;
        // Queued since the client had acknowledged everything.
        private long bytes;
        // While the throttle waits for the client: its lowest unacknowledged sequence number, and when that changed.
        private long lowest;
        private long movedMillis = NONE;
        private boolean stuck;
    }

    /** The clients of another node. */
    private static final class NodeBacklog {
        // When the throttle began to wait, or one of them acknowledged something last.
        private long movedMillis;
        private boolean stuck;

        NodeBacklog(long movedMillis) {
            this.movedMillis = movedMillis;
        }
    }

    CatchUpThrottle(QueueBounds bounds, SteadyClock clock, MeterRegistry metrics) {
        this.bounds = bounds;
        this.clock = clock;
        this.waited = metrics.timer("heddle.buckets.waited");
    }

    /** Starts a portion; null when the next batch needs no limit. */
    @Nullable
    Portion nextPortion() {
        if (!isCatchingUp()) {
            readers.clear();
            nodes.clear();
            return null;
        }
        return new Portion();
    }

    /** The messages and bytes of a batch for each client. */
    final class Portion {
        private final Map<ClientId, Integer> messages = new HashMap<>();
        private final Map<ClientId, Long> bytes = new HashMap<>();

        /** Adds a command. Returns whether every client still gets at most a quarter of its queue. */
        boolean add(BucketCommand command) {
            boolean fits = true;
            if (command instanceof BucketCommand.Enqueue enqueue) {
                for (QueueRecipient recipient : enqueue.recipients()) {
                    int count = messages.merge(recipient.clientId(), 1, Integer::sum);
                    long size = bytes.merge(
                            recipient.clientId(), (long) enqueue.message().heldBytes(), Long::sum);
                    fits &= count <= bounds.maximumMessages() / PORTIONS_OF_A_QUEUE
                            && size <= bounds.maximumBytes() / PORTIONS_OF_A_QUEUE;
                }
            }
            return fits;
        }
    }

    /** Records a message that was queued for a connected session. */
    void recordQueued(PushTarget reader, long sequence, long bytes) {
        if (isCatchingUp()) {
            ClientBacklog backlog = readers.computeIfAbsent(reader, _ -> new ClientBacklog());
            backlog.sequence = Math.max(backlog.sequence, sequence);
            backlog.bytes += bytes;
            inThisPortion.add(reader);
        }
    }

    /** Records that the queues did not answer a call. */
    void onUnanswered(long calledMillis) {
        if (unansweredSinceMillis == NONE) {
            unansweredSinceMillis = calledMillis;
        }
    }

    void onAnswered(long calledMillis) {
        long nowMillis = clock.millis();
        long outageMillis = nowMillis - (unansweredSinceMillis == NONE ? calledMillis : unansweredSinceMillis);
        unansweredSinceMillis = NONE;
        if (outageMillis >= OUTAGE_MILLIS) {
            catchUpFor(nowMillis, Math.min(CATCH_UP_TIMES * outageMillis, LONGEST_MILLIS));
        }
    }

    /** Throttles the replay of queues that have rolled back. */
    void onRolledBack() {
        catchUpFor(clock.millis(), AFTER_ROLLBACK_MILLIS);
    }

    private void catchUpFor(long nowMillis, long millis) {
        untilMillis = Math.max(untilMillis, nowMillis + millis);
    }

    private boolean isCatchingUp() {
        return unansweredSinceMillis != NONE || clock.millis() < untilMillis;
    }

    /** Returns whether the next portion must wait for clients with a long backlog. Called every few milliseconds until it returns false. */
    boolean isWaiting() {
        if (inThisPortion.isEmpty()) {
            return false;
        }
        long nowMillis = clock.millis();
        if (waitingSinceMillis == NONE) {
            waitingSinceMillis = nowMillis;
            nodes.values().forEach(node -> node.movedMillis = nowMillis);
        }
        boolean catchingUp = isCatchingUp();
        inThisPortion.removeIf(reader -> !catchingUp || !mustWaitFor(reader, nowMillis));
        if (!inThisPortion.isEmpty()) {
            return true;
        }
        waited.record(nowMillis - waitingSinceMillis, TimeUnit.MILLISECONDS);
        waitingSinceMillis = NONE;
        return false;
    }

    private boolean mustWaitFor(PushTarget reader, long nowMillis) {
        ClientBacklog backlog = readers.get(reader);
        if (backlog == null) {
            return false;
        }
        NodeBacklog node = reader instanceof RemoteTarget remote ? node(remote, nowMillis) : null;
        long lowest = reader.reportedBelow();
        if (!isTooLong(backlog, lowest) || backlog.stuck || (node != null && node.stuck)) {
            backlog.movedMillis = NONE;
            return false;
        }
        if (backlog.movedMillis == NONE || lowest != backlog.lowest) {
            if (node != null && backlog.movedMillis != NONE) {
                node.movedMillis = nowMillis;
            }
            backlog.lowest = lowest;
            backlog.movedMillis = nowMillis;
        } else if (nowMillis - backlog.movedMillis >= PATIENCE_MILLIS) {
            backlog.stuck = true;
        }
        if (node != null && nowMillis - node.movedMillis >= PATIENCE_MILLIS) {
            node.stuck = true;
        }
        return !backlog.stuck && (node == null || !node.stuck);
    }

    private NodeBacklog node(RemoteTarget remote, long nowMillis) {
        return nodes.computeIfAbsent(remote.node(), _ -> new NodeBacklog(nowMillis));
    }

    private boolean isTooLong(ClientBacklog backlog, long lowest) {
        if (backlog.sequence < lowest) {
            backlog.bytes = 0;
        }
        return backlog.sequence - lowest >= bounds.maximumMessages() / BACKLOG_SHARE
                || backlog.bytes > bounds.maximumBytes() / BACKLOG_SHARE;
    }
}

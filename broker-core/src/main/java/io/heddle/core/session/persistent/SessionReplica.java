package io.heddle.core.session.persistent;

import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.BucketLoops;
import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@link ClientLog} and keeps the sessions and subscriptions of all buckets in the memory of this node. The thread of the log
 * gathers records; the event loop that owns the bucket applies them in short tasks, so that taking a bucket is a step on the same loop. A
 * bucket is taken and released many times. Thread-safe. Bound: at {@value #MAXIMUM_QUEUED} queued records the log waits.
 */
public final class SessionReplica implements LogFollower<ClientChange> {
    private static final int MAXIMUM_QUEUED = 16_384;
    // Less than half a millisecond on the event loop.
    private static final int RECORDS_OF_A_TASK = 128;
    private static final long MAXIMUM_UNMATCHED_BYTES = 8 << 20;

    private final ClientLog log;
    private final PersistentSessions sessions;
    private final HeldBuckets held;
    private final Consumer<String> onLost;
    private final List<Inbox> inboxes = new ArrayList<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final FollowedPositions positions = new FollowedPositions();
    private volatile @Nullable List<Long> endsAtStart;

    /** @param onLost receives one clause for the operator when the log cannot be followed any further */
    public SessionReplica(
            ClientLog log,
            int bucketCount,
            BucketLoops loops,
            PersistentSessions sessions,
            SubscriptionTrie trie,
            Consumer<String> onLost) {
        this.log = log;
        this.sessions = sessions;
        this.held = sessions.held();
        this.onLost = onLost;
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            inboxes.add(new Inbox(
                    bucket,
                    loops.of(bucket),
                    new BucketReplica(sessions, trie, MAXIMUM_UNMATCHED_BYTES / bucketCount)));
        }
    }

    /** Starts to follow. Called once. */
    public void follow() {
        log.follow(this);
    }

    /** Completes when all changes of these buckets are applied that the log has at the time of the call. Fails if the log does not answer. */
    public CompletionStage<Void> readToEnd(Set<Integer> buckets) {
        return log.ends().thenCompose(ends -> positions.whenReached(of(buckets, ends)));
    }

    private static List<Long> of(Set<Integer> buckets, List<Long> ends) {
        List<Long> awaited = new ArrayList<>(ends);
        awaited.replaceAll(_ -> 0L);
        for (int bucket : buckets) {
            if (bucket < ends.size()) {
                awaited.set(bucket, ends.get(bucket));
            }
        }
        return awaited;
    }

    /**
     * From now on this node decides about the clients of these buckets. Called after {@link #readToEnd}, when no other node can write.
     *
     * @return completes when the event loops have taken the buckets
     */
    public CompletionStage<Void> hold(Set<Integer> buckets) {
        return onLoops(buckets, Inbox::hold);
    }

    /**
     * This node begins no work for the clients of these buckets any more.
     *
     * @return completes when the event loops know it; {@link HeldBuckets#isQuiet} tells when the work in progress has ended
     */
    public CompletionStage<Void> beginRelease(Set<Integer> buckets) {
        return onLoops(buckets, inbox -> held.beginRelease(inbox.bucket));
    }

    /**
     * From now on this node follows these quiet buckets again: it ignores its own changes, and applies those of the next holder.
     *
     * @return completes when another node may take the buckets; fails if the log does not answer, and may be repeated
     */
    public CompletionStage<Void> endRelease(Set<Integer> buckets) {
        return sessions.holding()
                .giveUp(buckets)
                .thenCompose(_ -> log.ends())
                .thenCompose(ends -> onLoops(
                        buckets, inbox -> inbox.release(inbox.bucket < ends.size() ? ends.get(inbox.bucket) : 0)));
    }

    private CompletionStage<Void> onLoops(Set<Integer> buckets, Consumer<Inbox> step) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int bucket : buckets) {
            Inbox inbox = inboxes.get(bucket);
            all.add(CompletableFuture.runAsync(() -> step.accept(inbox), inbox.loop));
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** Returns how far the log is applied. */
    public FollowedPositions positions() {
        return positions;
    }

    // Called by the log.

    @Override
    public void onStart(List<Long> ends) {
        endsAtStart = List.copyOf(ends);
        positions.onStart(ends);
    }

    @Override
    public boolean hasRoom() {
        return queued.get() < MAXIMUM_QUEUED;
    }

    @Override
    public void onRecord(int partition, long offset, ClientChange record) {
        inboxes.get(partition).gather(new Read(offset, record));
    }

    @Override
    public void onReached(int partition, long next) {
        inboxes.get(partition).pass(next);
    }

    @Override
    public void onLost(String reason) {
        positions.onLost(reason);
        onLost.accept(reason);
    }

    private record Read(long offset, ClientChange change) {}

    /** The records of one bucket on their way from the thread of the log to the event loop that owns the bucket. */
    private final class Inbox {
        private static final long NOT_REACHED = -1;

        private final int bucket;
        private final EventLoop loop;
        // Owned by the event loop.
        private final BucketReplica replica;
        // Owned by the thread of the log.
        private List<Read> gathered = new ArrayList<>();
        // Spares the loop records that it would ignore.
        private volatile boolean isHeld;

        Inbox(int bucket, EventLoop loop, BucketReplica replica) {
            this.bucket = bucket;
            this.loop = loop;
            this.replica = replica;
        }

        void gather(Read change) {
            if (!isHeld) {
                gathered.add(change);
                if (gathered.size() == RECORDS_OF_A_TASK) {
                    pass(NOT_REACHED);
                }
            }
        }

        /** @param next the offset that is reached when the gathered changes are applied, or {@link #NOT_REACHED} */
        void pass(long next) {
            List<Read> changes = gathered;
            gathered = new ArrayList<>();
            queued.addAndGet(changes.size());
            loop.execute(() -> apply(changes, next));
        }

        private void apply(List<Read> changes, long next) {
            boolean isKept = true;
            for (Read read : changes) {
                isKept &= replica.apply(read.offset, read.change);
            }
            queued.addAndGet(-changes.size());
            if (!isKept) {
                onLost("a session of bucket " + bucket
                        + " in heddle.clients was read after its subscriptions were dropped");
            } else if (next != NOT_REACHED) {
                onApplied(next);
            }
        }

        private void onApplied(long next) {
            List<Long> ends = endsAtStart;
            if (ends != null && (bucket >= ends.size() || next >= ends.get(bucket))) {
                replica.onLoaded();
            }
            positions.onReached(bucket, next);
        }

        void hold() {
            held.hold(bucket);
            replica.hold();
            isHeld = true;
        }

        void release(long end) {
            held.endRelease(bucket);
            replica.release(end);
            isHeld = false;
        }
    }
}

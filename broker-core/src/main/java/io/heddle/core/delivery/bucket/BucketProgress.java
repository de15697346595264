package io.heddle.core.delivery.bucket;

import io.heddle.core.HotPath;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.BucketPositions.Hold;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.message.SteadyClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one bucket of {@link BucketPositions} and the tasks that wait for it. Thread-safe by its own lock, which is not held
 * while a task runs. Of a bucket that is not held, it keeps the appended offset, and the lag for as long as the holder reports how far the
 * bucket is applied.
 */
@HotPath
final class BucketProgress {
    private enum State {
        IN_STEP,
        /** Acknowledgements wait. */
        LAGGING,
        /** Publishes are refused. */
        FULL
    }

    /** The result of adding a task that waits for the bucket. */
    enum Wait {
        WAITS,
        APPLIED,
        NOT_HELD
    }

    /** The number of the holding of a bucket that was never held. */
    static final long NEVER_HELD = 0;

    private final LagBounds bounds;
    private final SteadyClock clock;
    private final AtomicInteger laggingBuckets;
    private final AtomicInteger fullBuckets;

    // Guarded by this.
    // In order of offsets, because both the appended and the reached offset only grow.
    private final ArrayDeque<Hold> waiting = new ArrayDeque<>(0);
    private final PriorityQueue<Hold> holds = new PriorityQueue<>(Comparator.comparingLong(hold -> hold.offset));
    private BucketLag lag = new BucketLag();
    private ApplyRate rate = new ApplyRate();
    private long appended = BucketBatch.NOTHING;
    // The number of the present or last holding.
    private long holding = NEVER_HELD;
    private boolean held;
    // True once the queues have reported their position in this holding.
    private boolean positioned;
    private long applied = BucketBatch.NOTHING;
    // The maximum of the applied offset, which decreases when the queues roll back.
    private long reached = BucketBatch.NOTHING;
    private @Nullable BucketPosition position;
    private boolean stalled;
    private boolean stopped;
    // The holder, if another node reports how far the bucket is applied, and the time of its last report.
    private @Nullable Incarnation reporter;
    private long reportedMillis;
    // Written under the lock.
    private volatile State state = State.IN_STEP;

    /**
     * @param laggingBuckets counts the buckets whose acknowledgements wait
     * @param fullBuckets counts the buckets whose publishes are refused
     */
    BucketProgress(LagBounds bounds, SteadyClock clock, AtomicInteger laggingBuckets, AtomicInteger fullBuckets) {
        this.bounds = bounds;
        this.clock = clock;
        this.laggingBuckets = laggingBuckets;
        this.fullBuckets = fullBuckets;
    }

    /** Begins a holding. Nothing is known of the position of the queues. Returns the tasks that waited for the earlier holder. */
    synchronized List<Runnable> hold() {
        if (held) {
            return List.of();
        }
        List<Runnable> due = forget();
        held = true;
        holding++;
        return due;
    }

    /** Ends the holding. Returns the tasks that waited for the bucket. */
    synchronized List<Runnable> release() {
        held = false;
        return forget();
    }

    private List<Runnable> forget() {
        positioned = false;
        applied = BucketBatch.NOTHING;
        reached = BucketBatch.NOTHING;
        position = null;
        stalled = false;
        stopped = false;
        reporter = null;
        lag = new BucketLag();
        rate = new ApplyRate();
        updateState(clock.millis());
        List<Runnable> due = new ArrayList<>();
        waiting.forEach(hold -> due.add(hold::onReleased));
        waiting.clear();
        release(due);
        return due;
    }

    /** Returns what the other nodes must know of a held bucket; null while it is not held or its position is unknown. */
    synchronized @Nullable AppliedReport report() {
        return held && positioned ? new AppliedReport(applied, rate.writesPerSecond(), stalled, stopped) : null;
    }

    /** Records a report of the holder. Returns the tasks that need not wait any longer. */
    synchronized List<Runnable> onReport(Incarnation from, AppliedReport report) {
        if (held) {
            return List.of();
        }
        List<Runnable> due = from.equals(reporter) ? new ArrayList<>() : forget();
        long nowMillis = clock.millis();
        reporter = from;
        reportedMillis = nowMillis;
        applied = report.offset();
        stalled = report.isStalled();
        stopped = report.isStopped();
        rate.replace(report.writesPerSecond());
        lag.applied(applied);
        updateState(nowMillis);
        release(due);
        return due;
    }

    /** Forgets a bucket whose holder has been silent for too long although the bucket lags. Returns the tasks that waited for it. */
    synchronized List<Runnable> forgetSilent(long silenceMillis) {
        boolean isSilent =
                reporter != null && state != State.IN_STEP && clock.millis() - reportedMillis >= silenceMillis;
        return isSilent ? forget() : List.of();
    }

    synchronized boolean isHeld() {
        return held;
    }

    /** Returns the number of the present holding, or {@link #NEVER_HELD} while the bucket is not held. */
    synchronized long holding() {
        return held ? holding : NEVER_HELD;
    }

    synchronized void appended(long offset, int bytes, int writes) {
        appended = Math.max(appended, offset);
        if ((held || reporter != null) && offset > applied) {
            long nowMillis = clock.millis();
            lag.appended(offset, bytes, writes, nowMillis);
            updateState(nowMillis);
        }
    }

    synchronized List<Runnable> applied(long offset) {
        if (!held) {
            return List.of();
        }
        positioned = true;
        if (offset > applied) {
            stalled = stopped;
        }
        applied = offset;
        reached = Math.max(reached, offset);
        lag.applied(offset);
        if (state != State.IN_STEP) {
            updateState(clock.millis());
        }
        Hold first = waiting.peekFirst();
        boolean noneDue = first == null || first.offset > offset;
        if (noneDue && holds.isEmpty()) {
            return List.of();
        }
        List<Runnable> due = new ArrayList<>();
        while (first != null && first.offset <= offset) {
            due.add(first::run);
            waiting.removeFirst();
            first = waiting.peekFirst();
        }
        release(due);
        return due;
    }

    synchronized void recordApplied(int writes, long millis) {
        rate.record(writes, millis);
    }

    synchronized List<Runnable> onStopped() {
        stopped = held;
        return onStalled();
    }

    synchronized List<Runnable> onStalled() {
        stalled = held;
        updateState(clock.millis());
        List<Runnable> due = new ArrayList<>();
        release(due);
        return due;
    }

    private void updateState(long nowMillis) {
        long bytes = lag.bytes();
        boolean late = !stalled
                && Math.max(lag.ageMillis(nowMillis), rate.millisFor(lag.writes()))
                        > bounds.target().toMillis();
        State now = State.IN_STEP;
        // A stopped bucket never catches up, so it gets no further room.
        if (bytes > (stopped ? 1 : 2) * bounds.maximumBytes()) {
            now = State.FULL;
        } else if (late || bytes > bounds.maximumBytes()) {
            now = State.LAGGING;
        }
        State before = state;
        if (now != before) {
            state = now;
            laggingBuckets.addAndGet((now == State.IN_STEP ? 0 : 1) - (before == State.IN_STEP ? 0 : 1));
            fullBuckets.addAndGet((now == State.FULL ? 1 : 0) - (before == State.FULL ? 1 : 0));
        }
    }

    private void release(List<Runnable> due) {
        Hold hold = holds.peek();
        while (hold != null && (state == State.IN_STEP || hold.offset <= applied)) {
            holds.remove();
            due.add(hold::run);
            hold = holds.peek();
        }
    }

    synchronized boolean hold(Hold hold) {
        if (state == State.IN_STEP || hold.offset <= applied) {
            return false;
        }
        holds.add(hold);
        return true;
    }

    /** Adds a task that waits until everything appended or ever applied so far is applied, unless it need not or cannot wait. */
    synchronized Wait await(Hold hold) {
        if (!held) {
            return Wait.NOT_HELD;
        }
        hold.offset = Math.max(appended, reached);
        if (positioned && hold.offset <= applied) {
            return Wait.APPLIED;
        }
        waiting.addLast(hold);
        return Wait.WAITS;
    }

    boolean isLagging() {
        return state != State.IN_STEP;
    }

    boolean isFull() {
        return state == State.FULL;
    }

    synchronized String describe() {
        if (!held) {
            return "is not held by this node";
        }
        return "is applied up to offset " + applied + " of " + Math.max(appended, reached) + ", "
                + lag.ageMillis(clock.millis()) + " ms and " + lag.bytes() + " bytes behind its log"
                + (stalled ? ", and its queues do not answer" : "");
    }

    synchronized long lagMillis() {
        return lag.ageMillis(clock.millis());
    }

    synchronized long lagBytes() {
        return lag.bytes();
    }

    synchronized void recordPosition(BucketPosition answered) {
        if (!held) {
            return;
        }
        long offset = position == null ? BucketBatch.NOTHING : position.appliedOffset();
        position = new BucketPosition(answered.viewId(), Math.max(offset, answered.appliedOffset()));
    }

    synchronized @Nullable BucketPosition lastPosition() {
        return position;
    }

    synchronized boolean isInStep() {
        return applied >= reached;
    }

    synchronized long appliedOffset() {
        return applied;
    }

    synchronized long appendedOffset() {
        return appended;
    }
}

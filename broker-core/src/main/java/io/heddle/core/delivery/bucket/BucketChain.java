package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The buffered commands of one bucket's log and the next step for them, for one holding of the bucket: a bucket that is held again gets
 * another chain. Belongs to the applying thread. One step is in flight at a time, and its result determines the next one.
 *
 * <p>States: position unknown or invalidated (the position of the queues is queried) → in step (batches are applied) ⇄ pausing after a
 * failure; released from each (a step may be in flight) → finished. A rejected batch is halved until it contains only the rejected command.
 * Bound: the bucket is not read while {@link #bufferedBytes} is high.
 */
final class BucketChain {
    static final long FIRST_PAUSE_MILLIS = 50;
    static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** The maximum number of writes of a batch, so that a batch is one call to the store and other calls run between two batches. */
    private static final int MAXIMUM_WRITES = 1_000;

    private static final long MAXIMUM_COPIED_BYTES = 8L << 20;
    private static final long MAXIMUM_BYTES = 512 << 10;
    private static final int BYTES_OF_A_RECIPIENT = 64;
    /** The interval of checks while the throttle waits for a client. */
    private static final long THROTTLED_MILLIS = 2;

    /** The maximum difference between the clock of Redis, which assigns generations, and the clock of this node. */
    private static final long CLOCK_SKEW_MILLIS = 60_000;

    private static final long NONE = Long.MIN_VALUE;

    final int bucket;
    final CatchUpThrottle throttle;

    private final ArrayDeque<Logged> buffer = new ArrayDeque<>(2);
    private long bufferedBytes;
    // The last offset applied to the queues, and the last offset read from the log.
    private long precedingOffset = BucketBatch.NOTHING;
    private long readUpTo = BucketBatch.NOTHING;
    private boolean positioned;
    private boolean invalidated;
    private long seekAfter = NONE;
    // Since the bucket was positioned: whether nothing was read, and the first generation whose messages are all in the
    // log.
    private boolean atStart = true;
    private long completeFrom = BucketBatch.NEVER_COMPLETE;
    // True if the queues were lost while connected sessions may still use old sequence numbers, and the view since
    // then.
    private boolean sequencesStale;
    private long viewId;

    // The step in flight.
    private boolean busy;
    private int batchCommands;
    private int batchWrites;
    private long sinceMillis;
    private boolean stallReported;

    // Read by any thread.
    private volatile @Nullable String rejection;
    private volatile @Nullable String stopReason;

    private long pauseUntilMillis;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private int maximumCommands = Integer.MAX_VALUE;
    private int skipped;
    private boolean released;
    private final CompletableFuture<Void> finish = new CompletableFuture<>();

    BucketChain(int bucket, CatchUpThrottle throttle) {
        this.bucket = bucket;
        this.throttle = throttle;
    }

    boolean canRead(long maximumBytes) {
        return isPositioned() && bufferedBytes < maximumBytes;
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    /** @param firstMillis when the first command was written */
    void add(List<Logged> commands, long firstMillis) {
        if (!isPositioned()) {
            // These commands are read again from the position of the queues.
            return;
        }
        if (atStart) {
            atStart = false;
            boolean wholeLog = precedingOffset == BucketBatch.NOTHING
                    && commands.getFirst().offset() == 0;
            completeFrom = wholeLog ? 0 : TimeUnit.MILLISECONDS.toMicros(firstMillis + CLOCK_SKEW_MILLIS);
        }
        for (Logged logged : commands) {
            buffer.add(logged);
            bufferedBytes += bytes(logged);
        }
        readUpTo = Math.max(readUpTo, commands.getLast().offset());
    }

    /** Records that everything up to this offset was read. Returns the offset up to which the log is applied. */
    long readUpTo(long offset) {
        readUpTo = Math.max(readUpTo, offset);
        return appliedUpTo();
    }

    private long appliedUpTo() {
        return buffer.isEmpty() ? Math.max(precedingOffset, readUpTo) : precedingOffset;
    }

    /** Returns whether the position of the queues is known and valid. */
    boolean isPositioned() {
        return positioned && !invalidated;
    }

    /** Invalidates the position, which is then queried again. */
    void invalidatePosition() {
        invalidated = true;
    }

    boolean mustQueryPosition(long nowMillis) {
        return !busy && !isPositioned() && nowMillis >= pauseUntilMillis;
    }

    void startStep(long nowMillis) {
        busy = true;
        stallReported = false;
        sinceMillis = nowMillis;
    }

    /** Ends the holding of the bucket: no further step starts. The answer of the step in flight is still awaited. */
    void release() {
        released = true;
        buffer.clear();
        bufferedBytes = 0;
    }

    boolean isReleased() {
        return released;
    }

    boolean isBusy() {
        return busy;
    }

    /** Finishes a released chain: the answer of its step has arrived, or is awaited no longer. */
    void finish() {
        busy = false;
        finish.complete(null);
    }

    boolean isFinished() {
        return finish.isDone();
    }

    /** Completes when the chain is finished. */
    CompletableFuture<Void> finishing() {
        return finish;
    }

    /** Records that the log of this bucket is not read again in this holding. */
    void stop(String reason) {
        stopReason = reason;
    }

    /** Why this bucket is not applied although its queues answer, or null. Any thread. */
    @Nullable
    String blockReason() {
        String reason = stopReason;
        return reason == null ? rejection : reason;
    }

    void onQueuesLost(long newViewId) {
        sequencesStale = true;
        viewId = newViewId;
    }

    /** The view of the queues since they have lost their contents. */
    long viewId() {
        return viewId;
    }

    /** Returns whether feeds with stale sequence numbers must be ended before the next batch. */
    boolean mustEndFeeds(long nowMillis) {
        return sequencesStale && !busy && isPositioned() && !buffer.isEmpty() && nowMillis >= pauseUntilMillis;
    }

    void onFeedsEnded() {
        onSucceeded();
        sequencesStale = false;
    }

    /** The log has all messages of sessions from this generation on. Known once commands were read. */
    long completeFrom() {
        return completeFrom;
    }

    /** Clears the buffer and continues reading behind an offset. */
    void positionAt(long afterOffset) {
        onSucceeded();
        rejection = null;
        positioned = true;
        invalidated = false;
        buffer.clear();
        bufferedBytes = 0;
        precedingOffset = afterOffset;
        readUpTo = afterOffset;
        seekAfter = afterOffset;
        atStart = true;
        completeFrom = BucketBatch.NEVER_COMPLETE;
    }

    /** Returns the offset behind which reading continues, once; otherwise null. */
    @Nullable
    Long takeSeek() {
        long taken = seekAfter;
        seekAfter = NONE;
        return taken == NONE ? null : Long.valueOf(taken);
    }

    /** Starts the next batch and returns it; null when no batch can be applied now. */
    @Nullable
    BucketBatch nextBatch(long nowMillis) {
        if (busy || !isPositioned() || buffer.isEmpty() || nowMillis < pauseUntilMillis || throttle.isWaiting()) {
            return null;
        }
        CatchUpThrottle.Portion portion = throttle.nextPortion();
        List<Logged> commands = new ArrayList<>();
        batchWrites = 0;
        long copiedBytes = 0;
        long bytes = 0;
        for (Logged logged : buffer) {
            int commandWrites = logged.command().writes();
            if (logged.command() instanceof BucketCommand.Enqueue enqueue) {
                copiedBytes += (long) commandWrites * enqueue.message().heldBytes();
            }
            boolean fits = portion == null || portion.add(logged.command());
            fits &= commands.size() < maximumCommands
                    && batchWrites + commandWrites <= MAXIMUM_WRITES
                    && copiedBytes <= MAXIMUM_COPIED_BYTES
                    && bytes < MAXIMUM_BYTES;
            if (!fits && !commands.isEmpty()) {
                break;
            }
            bytes += bytes(logged);
            commands.add(logged);
            batchWrites += commandWrites;
        }
        batchCommands = commands.size();
        startStep(nowMillis);
        return new BucketBatch(bucket, precedingOffset, commands, completeFrom);
    }

    private static long bytes(Logged logged) {
        return switch (logged.command()) {
            case BucketCommand.Enqueue enqueue ->
                enqueue.message().heldBytes()
                        + (long) BYTES_OF_A_RECIPIENT * enqueue.recipients().size();
            case BucketCommand.Acknowledged acknowledged ->
                (long) BYTES_OF_A_RECIPIENT * acknowledged.clients().size();
            case BucketCommand.OutboundReceived _,
                    BucketCommand.InboundReceived _,
                    BucketCommand.InboundReleased _,
                    BucketCommand.Cleared _ -> BYTES_OF_A_RECIPIENT;
        };
    }

    private void onSucceeded() {
        busy = false;
        pauseUntilMillis = 0;
        pauseMillis = FIRST_PAUSE_MILLIS;
    }

    /** Removes the applied batch. Returns the offset up to which the log is applied. */
    long onApplied() {
        onSucceeded();
        rejection = null;
        skipped = 0;
        maximumCommands = maximumCommands > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : 2 * maximumCommands;
        for (int i = 0; i < batchCommands; i++) {
            Logged logged = buffer.remove();
            bufferedBytes -= bytes(logged);
            precedingOffset = logged.offset();
        }
        return appliedUpTo();
    }

    /** Schedules a retry of the failed step. Returns the pause before it. */
    long onFailed(long nowMillis, Throwable failure) {
        if (failure instanceof StoreRejectedException) {
            rejection = String.valueOf(failure.getMessage());
        }
        long pause = pauseMillis;
        busy = false;
        pauseUntilMillis = nowMillis + pause;
        pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        return pause;
    }

    /** Invalidates the position, because the batch does not follow it. */
    void onGap() {
        busy = false;
        invalidated = true;
    }

    /** Returns the command of a rejected batch with one command; otherwise halves the size of the next batch and returns null. */
    @Nullable
    Logged onRejected() {
        if (batchCommands == 1) {
            return buffer.peek();
        }
        busy = false;
        maximumCommands = Math.max(1, batchCommands / 2);
        return null;
    }

    /** Marks the first command as rejected: applying it then only assigns its sequence numbers. */
    void markRejected() {
        busy = false;
        Logged first = buffer.remove();
        buffer.addFirst(new Logged(first.offset(), first.command(), true));
    }

    /** Removes the first command without applying it. */
    void skip() {
        busy = false;
        bufferedBytes -= bytes(buffer.remove());
        skipped++;
    }

    /** The number of commands skipped since a batch was applied. */
    int skipped() {
        return skipped;
    }

    /** Returns whether the answer of the step in flight is overdue. */
    boolean isOverdue(long nowMillis, AnswerTimes answers) {
        return busy && (stallReported || answers.isOverdue(sinceMillis, nowMillis));
    }

    /** Returns whether the answer of the step in flight has become overdue; true once for each step. */
    boolean becameOverdue(long nowMillis, AnswerTimes answers) {
        if (!busy || stallReported || !answers.isOverdue(sinceMillis, nowMillis)) {
            return false;
        }
        stallReported = true;
        return true;
    }

    /** The number of writes to queues of the last batch. */
    int batchWrites() {
        return batchWrites;
    }

    long sinceMillis() {
        return sinceMillis;
    }

    /** The time after which the next step is due if neither an answer nor a command arrives, in milliseconds. */
    long maximumWaitMillis(long nowMillis, long longest) {
        if (busy || (buffer.isEmpty() && isPositioned())) {
            return longest;
        }
        return Math.clamp(pauseUntilMillis - nowMillis, THROTTLED_MILLIS, longest);
    }
}

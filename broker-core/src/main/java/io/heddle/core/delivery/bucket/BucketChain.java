package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What of one bucket's log was read and is not applied, and what is to be done with it next. Belongs to the thread that applies the
 * logs; one step at a time is under way, and what became of it decides the next one.
 *
 * <p>States: unplaced or doubted (the queues are asked where they stand) → in step (batches are applied) ⇄ resting after a failure. A
 * batch that is rejected is halved until the command is alone that is rejected. Bound: the reader hands over nothing more while {@link
 * #bufferedBytes} is high.
 */
final class BucketChain {
    static final long FIRST_PAUSE_MILLIS = 50;
    static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** Of one batch, so that it is one call of the queues, and others are served between two. */
    private static final int MAXIMUM_WRITES = 1_000;

    private static final long MAXIMUM_COPIED_BYTES = 8L << 20;
    private static final long MAXIMUM_BYTES = 512 << 10;
    private static final int BYTES_OF_A_RECIPIENT = 64;
    /** While a client is waited for. */
    private static final long HELD_UP_MILLIS = 2;

    /** By which the clocks of Redis, which gives generations, and of this node may differ. */
    private static final long CLOCK_SKEW_MILLIS = 60_000;

    private static final long NOT = Long.MIN_VALUE;

    final int bucket;
    final CatchUpThrottle pace;

    private final ArrayDeque<Logged> buffer = new ArrayDeque<>(2);
    private long bufferedBytes;
    // What the queues were given last, and up to where the log was read.
    private long precedingOffset = BucketBatch.NOTHING;
    private long readUpTo = BucketBatch.NOTHING;
    private boolean placed;
    private boolean doubted;
    private long seekBehind = NOT;
    // Since it was placed: nothing was read; from which generation on the log has all of a session.
    private boolean beginsToRead = true;
    private long completeFrom = BucketBatch.NEVER_COMPLETE;
    // Whether the queues have lost everything, and connected sessions may still use earlier numbers.
    private boolean numbersInDoubt;

    // Of the step that is under way.
    private boolean busy;
    private int taken;
    private int takenWrites;
    private long sinceMillis;
    private boolean stallTold;

    // Any thread may read it.
    private volatile @Nullable String rejection;

    private long restUntilMillis;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private int maximumCommands = Integer.MAX_VALUE;
    private int leftOut;

    BucketChain(int bucket, CatchUpThrottle pace) {
        this.bucket = bucket;
        this.pace = pace;
    }

    /** Whether more may be read. */
    boolean takes(long maximumBytes) {
        return placed && !doubted && bufferedBytes < maximumBytes;
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    /** @param firstMillis when the first of them was written */
    void add(List<Logged> commands, long firstMillis) {
        if (!placed || doubted) {
            // It is read again from where the queues stand.
            return;
        }
        if (beginsToRead) {
            beginsToRead = false;
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

    /** Everything up to this offset was read. Returns up to where it is applied. */
    long readUpTo(long offset) {
        readUpTo = Math.max(readUpTo, offset);
        return appliedUpTo();
    }

    private long appliedUpTo() {
        return buffer.isEmpty() ? Math.max(precedingOffset, readUpTo) : precedingOffset;
    }

    /** Whether it is known where reading goes on, and nothing has put that into doubt. */
    boolean isPlaced() {
        return placed && !doubted;
    }

    /** Where reading goes on is to be asked anew. */
    void doubt() {
        doubted = true;
    }

    /** Whether the queues are to be asked now where they stand. */
    boolean mustAsk(long nowMillis) {
        return !busy && !isPlaced() && nowMillis >= restUntilMillis;
    }

    /** A step begins. */
    void begin(long nowMillis) {
        busy = true;
        stallTold = false;
        sinceMillis = nowMillis;
    }

    /** Why the queues reject everything of this bucket, or null when they don't. Any thread. */
    @Nullable
    String rejection() {
        return rejection;
    }

    /** The queues have lost everything that they had. */
    void lostEverything() {
        numbersInDoubt = true;
    }

    /** Whether feeds whose numbers began anew are to be ended before the next batch. */
    boolean mustEndFeeds(long nowMillis) {
        return numbersInDoubt && !busy && isPlaced() && !buffer.isEmpty() && nowMillis >= restUntilMillis;
    }

    /** They are ended. */
    void feedsEnded() {
        succeeded();
        numbersInDoubt = false;
    }

    /** The log has all messages of sessions from this generation on; known when something was read. */
    long completeFrom() {
        return completeFrom;
    }

    /** Reading goes on behind this offset. */
    void place(long afterOffset) {
        succeeded();
        rejection = null;
        placed = true;
        doubted = false;
        buffer.clear();
        bufferedBytes = 0;
        precedingOffset = afterOffset;
        readUpTo = afterOffset;
        seekBehind = afterOffset;
        beginsToRead = true;
        completeFrom = BucketBatch.NEVER_COMPLETE;
    }

    /** Where reading goes on, once; or null. */
    @Nullable
    Long takeSeek() {
        long taken = seekBehind;
        seekBehind = NOT;
        return taken == NOT ? null : Long.valueOf(taken);
    }

    /** The next batch, under way from now on; null when there is none to be applied now. */
    @Nullable
    BucketBatch next(long nowMillis) {
        if (busy || !isPlaced() || buffer.isEmpty() || nowMillis < restUntilMillis || pace.isHeldUp()) {
            return null;
        }
        CatchUpThrottle.Share share = pace.portion();
        List<Logged> commands = new ArrayList<>();
        takenWrites = 0;
        long copiedBytes = 0;
        long bytes = 0;
        for (Logged logged : buffer) {
            int commandWrites = logged.command().writes();
            if (logged.command() instanceof BucketCommand.Enqueue enqueue) {
                copiedBytes += (long) commandWrites * enqueue.message().heldBytes();
            }
            boolean fits = share == null || share.add(logged.command());
            fits &= commands.size() < maximumCommands
                    && takenWrites + commandWrites <= MAXIMUM_WRITES
                    && copiedBytes <= MAXIMUM_COPIED_BYTES
                    && bytes < MAXIMUM_BYTES;
            if (!fits && !commands.isEmpty()) {
                break;
            }
            bytes += bytes(logged);
            commands.add(logged);
            takenWrites += commandWrites;
        }
        taken = commands.size();
        begin(nowMillis);
        return new BucketBatch(bucket, precedingOffset, commands, completeFrom);
    }

    private static long bytes(Logged logged) {
        return switch (logged.command()) {
            case BucketCommand.Enqueue enqueue ->
                enqueue.message().heldBytes()
                        + (long) BYTES_OF_A_RECIPIENT * enqueue.recipients().size();
            case BucketCommand.Acknowledged acknowledged ->
                (long) BYTES_OF_A_RECIPIENT * acknowledged.clients().size();
            case BucketCommand.OutboundReceived _, BucketCommand.InboundReceived _, BucketCommand.InboundReleased _ ->
                BYTES_OF_A_RECIPIENT;
        };
    }

    private void succeeded() {
        busy = false;
        restUntilMillis = 0;
        pauseMillis = FIRST_PAUSE_MILLIS;
    }

    /** The batch is applied. Returns up to where the log is. */
    long applied() {
        succeeded();
        rejection = null;
        leftOut = 0;
        maximumCommands = maximumCommands > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : 2 * maximumCommands;
        for (int i = 0; i < taken; i++) {
            Logged logged = buffer.remove();
            bufferedBytes -= bytes(logged);
            precedingOffset = logged.offset();
        }
        return appliedUpTo();
    }

    /** The step did not succeed: it is done again after a pause, which it returns. */
    long failed(long nowMillis, Throwable failure) {
        if (failure instanceof StoreRejectedException) {
            rejection = String.valueOf(failure.getMessage());
        }
        long pause = pauseMillis;
        busy = false;
        restUntilMillis = nowMillis + pause;
        pauseMillis = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        return pause;
    }

    /** The queues have forgotten what the batch should follow. */
    void behind() {
        busy = false;
        doubted = true;
    }

    /** The queues rejected the batch. Returns its command when it is alone; else the next batch is half as large, and null. */
    @Nullable
    Logged rejected() {
        if (taken == 1) {
            return buffer.peek();
        }
        busy = false;
        maximumCommands = Math.max(1, taken / 2);
        return null;
    }

    /** The first command is where it was set aside: only its numbers are to be taken. */
    void setAside() {
        busy = false;
        Logged first = buffer.remove();
        buffer.addFirst(new Logged(first.offset(), first.command(), true));
    }

    /** Even the first command's numbers were rejected: goes on without it. */
    void leaveOut() {
        busy = false;
        bufferedBytes -= bytes(buffer.remove());
        leftOut++;
    }

    /** How many were left out since a batch was applied. */
    int leftOut() {
        return leftOut;
    }

    /** Whether the answer of the step is overdue; said once. */
    boolean isStalled(long nowMillis, AnswerTimes answers) {
        if (!busy || stallTold || !answers.isOverdue(sinceMillis, nowMillis)) {
            return false;
        }
        stallTold = true;
        return true;
    }

    /** How many writes to queues the last batch was. */
    int takenWrites() {
        return takenWrites;
    }

    long sinceMillis() {
        return sinceMillis;
    }

    /** For how long there is nothing to do but what was begun or is read next, in milliseconds. */
    long patienceMillis(long nowMillis, long longest) {
        if (busy || (buffer.isEmpty() && isPlaced())) {
            return longest;
        }
        return Math.clamp(restUntilMillis - nowMillis, HELD_UP_MILLIS, longest);
    }
}

package io.heddle.core.delivery.device;

import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueueSessions.Reader;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps what piled up in the log while the queues did not answer from pushing itself out of them again: it is applied in portions
 * of a quarter of what a queue may hold, and a portion waits until connected clients have acknowledged the one before the last.
 * Belongs to the thread that applies the log, which waits here.
 *
 * <p>States: in step (all at once, no waiting) → the queues do not answer → catching up, for as long as they did not, at most
 * {@value #LONGEST_MILLIS} ms → in step. A client that acknowledges nothing for {@value #PATIENCE_MILLIS} ms is not waited for again
 * while it lasts, so that it holds up the others once. Bound: one entry for each connected session that a portion fills.
 */
final class CatchUpPace {
    static final long PATIENCE_MILLIS = 2_000;
    static final long LONGEST_MILLIS = 60_000;

    /** What was answered within this was no trouble. */
    private static final long TROUBLE_MILLIS = 250;
    /** For queues that went back nobody knows how much they get again. */
    private static final long AFTER_GOING_BACK_MILLIS = 10_000;

    private static final int PORTIONS_OF_A_QUEUE = 4;
    private static final Duration NAP = Duration.ofMillis(2);
    private static final long NOT = -1;

    private final QueueBounds bounds;
    private final SteadyClock clock;
    private final Runnable nap;
    private final Timer waited;

    private long unansweredSinceMillis = NOT;
    private long untilMillis = NOT;
    // The highest number that each reader was told of.
    private Map<Reader, Long> inThisPortion = new HashMap<>();
    private Map<Reader, Long> inTheOneBefore = new HashMap<>();
    private final Set<Reader> stuck = new HashSet<>();

    CatchUpPace(QueueBounds bounds, SteadyClock clock, MeterRegistry metrics) {
        this(bounds, clock, () -> LockSupport.parkNanos(NAP.toNanos()), metrics);
    }

    /** @param nap lets a little time pass; returns at once when the thread is interrupted */
    CatchUpPace(QueueBounds bounds, SteadyClock clock, Runnable nap, MeterRegistry metrics) {
        this.bounds = bounds;
        this.clock = clock;
        this.nap = nap;
        this.waited = metrics.timer("heddle.buckets.waited");
    }

    /** What to apply together, one after the other; in step that is everything. */
    List<List<BucketBatch>> portions(List<BucketBatch> batches) {
        if (!isCatchingUp()) {
            forget();
            return List.of(batches);
        }
        List<List<BucketBatch>> portions = new ArrayList<>();
        for (BucketBatch batch : batches) {
            List<BucketBatch> pieces = pieces(batch);
            for (int i = 0; i < pieces.size(); i++) {
                if (portions.size() == i) {
                    portions.add(new ArrayList<>());
                }
                portions.get(i).add(pieces.get(i));
            }
        }
        return portions;
    }

    private List<BucketBatch> pieces(BucketBatch batch) {
        List<BucketBatch> pieces = new ArrayList<>();
        List<BucketBatch.Logged> piece = new ArrayList<>();
        long preceding = batch.precedingOffset();
        long bytes = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            long more = logged.command() instanceof BucketCommand.Enqueue enqueue
                    ? enqueue.message().heldBytes()
                    : 0;
            if (!piece.isEmpty()
                    && (piece.size() >= bounds.maximumMessages() / PORTIONS_OF_A_QUEUE
                            || bytes + more > bounds.maximumBytes() / PORTIONS_OF_A_QUEUE)) {
                pieces.add(new BucketBatch(batch.bucket(), preceding, piece));
                preceding = piece.getLast().offset();
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.add(logged);
            bytes += more;
        }
        pieces.add(new BucketBatch(batch.bucket(), preceding, piece));
        return pieces;
    }

    /** The queue of a connected session was given this number. */
    void told(Reader reader, long sequence) {
        if (isCatchingUp()) {
            inThisPortion.merge(reader, sequence, Math::max);
        }
    }

    /** The queues did not answer what was asked then. */
    void unanswered(long askedMillis) {
        if (unansweredSinceMillis == NOT) {
            unansweredSinceMillis = askedMillis;
        }
    }

    /** All queues have answered what was asked then. */
    void answered(long askedMillis) {
        long nowMillis = clock.millis();
        long lastedMillis = nowMillis - (unansweredSinceMillis == NOT ? askedMillis : unansweredSinceMillis);
        unansweredSinceMillis = NOT;
        if (lastedMillis >= TROUBLE_MILLIS) {
            catchUpFor(nowMillis, Math.min(lastedMillis, LONGEST_MILLIS));
        }
    }

    /** Some queues have forgotten something and get it again. */
    void wentBack() {
        catchUpFor(clock.millis(), AFTER_GOING_BACK_MILLIS);
    }

    private void catchUpFor(long nowMillis, long millis) {
        untilMillis = Math.max(untilMillis, nowMillis + millis);
    }

    private boolean isCatchingUp() {
        return unansweredSinceMillis != NOT || clock.millis() < untilMillis;
    }

    private void forget() {
        inThisPortion.clear();
        inTheOneBefore.clear();
        stuck.clear();
    }

    /** A portion is applied: waits for those who were told of the one before. */
    void awaitReaders() {
        if (!isCatchingUp()) {
            return;
        }
        long startMillis = clock.millis();
        inTheOneBefore.forEach(this::await);
        waited.record(clock.millis() - startMillis, TimeUnit.MILLISECONDS);
        Map<Reader, Long> emptied = inTheOneBefore;
        emptied.clear();
        inTheOneBefore = inThisPortion;
        inThisPortion = emptied;
    }

    private void await(Reader reader, long sequence) {
        long lowest = reader.toldBelow();
        long movedMillis = clock.millis();
        while (lowest <= sequence
                && !stuck.contains(reader)
                && isCatchingUp()
                && !Thread.currentThread().isInterrupted()) {
            nap.run();
            long nowMillis = clock.millis();
            long nowLowest = reader.toldBelow();
            if (nowLowest != lowest) {
                lowest = nowLowest;
                movedMillis = nowMillis;
            } else if (nowMillis - movedMillis >= PATIENCE_MILLIS) {
                stuck.add(reader);
            }
        }
    }
}

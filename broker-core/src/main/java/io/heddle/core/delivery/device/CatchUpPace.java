package io.heddle.core.delivery.device;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueueSessions.Reader;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what piled up in the log while the queues did not answer from pushing itself out of them again: it is applied in portions
 * that hold at most a quarter of a queue for any client, and a portion waits while a connected client that it fills has more than half
 * a queue before it. Belongs to the thread that applies the log, which waits here.
 *
 * <p>States: in step (all at once, no waiting) → the queues do not answer → catching up, for as long as they did not, at most
 * {@value #LONGEST_MILLIS} ms → in step. A client that acknowledges nothing for {@value #PATIENCE_MILLIS} ms is not waited for again
 * while it lasts, so that it holds up the others once. Bound: one entry for each connected session that is filled meanwhile.
 */
final class CatchUpPace {
    static final long PATIENCE_MILLIS = 2_000;
    static final long LONGEST_MILLIS = 60_000;

    /** What was answered within this was no trouble. */
    private static final long TROUBLE_MILLIS = 250;
    /** For queues that went back nobody knows how much they get again. */
    private static final long AFTER_GOING_BACK_MILLIS = 10_000;

    private static final int PORTIONS_OF_A_QUEUE = 4;
    private static final int MOST_BEFORE_A_CLIENT = 2;
    private static final long NOT = -1;

    private final QueueBounds bounds;
    private final SteadyClock clock;
    private final Runnable nap;
    private final Timer waited;

    private long unansweredSinceMillis = NOT;
    private long untilMillis = NOT;
    private final Map<Reader, Told> readers = new HashMap<>();
    private final Set<Reader> inThisPortion = new HashSet<>();

    /** What stands before a connected client. */
    private static final class Told {
        // The highest number.
        private long sequence;
        // Since all of it was acknowledged.
        private long bytes;
        private boolean stuck;
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
            readers.clear();
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
        Share share = new Share();
        long preceding = batch.precedingOffset();
        for (BucketBatch.Logged logged : batch.commands()) {
            if (!share.add(logged.command()) && !piece.isEmpty()) {
                pieces.add(new BucketBatch(batch.bucket(), preceding, piece));
                preceding = piece.getLast().offset();
                piece = new ArrayList<>();
                share = new Share();
                var _ = share.add(logged.command());
            }
            piece.add(logged);
        }
        pieces.add(new BucketBatch(batch.bucket(), preceding, piece));
        return pieces;
    }

    /** What a piece holds for each client. */
    private final class Share {
        private final Map<ClientId, Integer> messages = new HashMap<>();
        private final Map<ClientId, Long> bytes = new HashMap<>();

        /** Whether no client gets more than a part of its queue. */
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

    /** The queue of a connected session was given this number, for a message of so many bytes. */
    void told(Reader reader, long sequence, long bytes) {
        if (isCatchingUp()) {
            Told told = readers.computeIfAbsent(reader, _ -> new Told());
            told.sequence = Math.max(told.sequence, sequence);
            told.bytes += bytes;
            inThisPortion.add(reader);
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

    /** A portion is applied: waits for those before whom too much stands now. */
    void awaitReaders() {
        if (inThisPortion.isEmpty()) {
            return;
        }
        long startMillis = clock.millis();
        for (Reader reader : inThisPortion) {
            Told told = readers.get(reader);
            if (told != null) {
                await(reader, told);
            }
        }
        inThisPortion.clear();
        waited.record(clock.millis() - startMillis, TimeUnit.MILLISECONDS);
    }

    private void await(Reader reader, Told told) {
        long lowest = reader.toldBelow();
        long movedMillis = clock.millis();
        while (isTooMuch(told, lowest)
                && !told.stuck
                && isCatchingUp()
                && !Thread.currentThread().isInterrupted()) {
            nap.run();
            long nowMillis = clock.millis();
            long nowLowest = reader.toldBelow();
            if (nowLowest != lowest) {
                lowest = nowLowest;
                movedMillis = nowMillis;
            } else if (nowMillis - movedMillis >= PATIENCE_MILLIS) {
                told.stuck = true;
            }
        }
    }

    private boolean isTooMuch(Told told, long lowest) {
        if (told.sequence < lowest) {
            told.bytes = 0;
        }
        return told.sequence - lowest >= bounds.maximumMessages() / MOST_BEFORE_A_CLIENT
                || told.bytes > bounds.maximumBytes() / MOST_BEFORE_A_CLIENT;
    }
}

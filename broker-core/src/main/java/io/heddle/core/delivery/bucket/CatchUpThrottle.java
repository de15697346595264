package io.heddle.core.delivery.bucket;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the backlog of one bucket, which piled up while its queues did not answer, from evicting itself: it is applied in portions
 * that hold at most a quarter of a queue for any client, and the next portion waits while a connected client has more than half a queue
 * before it. Belongs to the thread that applies the log.
 *
 * <p>States: in step (everything at once, no waiting) → the queues do not answer → catching up, for as long as they did not, at most
 * {@value #LONGEST_MILLIS} ms → in step. A client that acknowledges nothing for {@value #PATIENCE_MILLIS} ms is not waited for again
 * while it lasts, so that it holds up the others once. Bound: one entry for each connected session that is filled meanwhile.
 */
final class CatchUpThrottle {
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
    private final Timer waited;

    private long unansweredSinceMillis = NOT;
    private long untilMillis = NOT;
    private final Map<Reader, Told> readers = new HashMap<>();
    private final Set<Reader> inThisPortion = new HashSet<>();
    private long heldSinceMillis = NOT;

    /** What stands before a connected client. */
    private static final class Told {
        // The highest number.
        private long sequence;
        // Since all of it was acknowledged.
        private long bytes;
        // While it is waited for: what it had acknowledged, and since when.
        private long lowest;
        private long movedMillis = NOT;
        private boolean stuck;
    }

    CatchUpThrottle(QueueBounds bounds, SteadyClock clock, MeterRegistry metrics) {
        this.bounds = bounds;
        this.clock = clock;
        this.waited = metrics.timer("heddle.buckets.waited");
    }

    /** What the next portion may hold, or null when it may hold everything. */
    @Nullable
    Share portion() {
        if (!isCatchingUp()) {
            readers.clear();
            return null;
        }
        return new Share();
    }

    /** What a portion holds for each client. */
    final class Share {
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
    void rolledBack() {
        catchUpFor(clock.millis(), AFTER_GOING_BACK_MILLIS);
    }

    private void catchUpFor(long nowMillis, long millis) {
        untilMillis = Math.max(untilMillis, nowMillis + millis);
    }

    private boolean isCatchingUp() {
        return unansweredSinceMillis != NOT || clock.millis() < untilMillis;
    }

    /** Whether the next portion has to wait for clients before whom too much stands now. Asked every few milliseconds until it has not. */
    boolean isHeldUp() {
        if (inThisPortion.isEmpty()) {
            return false;
        }
        long nowMillis = clock.millis();
        if (heldSinceMillis == NOT) {
            heldSinceMillis = nowMillis;
        }
        boolean catchingUp = isCatchingUp();
        inThisPortion.removeIf(reader -> !catchingUp || !holdsUp(reader, nowMillis));
        if (!inThisPortion.isEmpty()) {
            return true;
        }
        waited.record(nowMillis - heldSinceMillis, TimeUnit.MILLISECONDS);
        heldSinceMillis = NOT;
        return false;
    }

    private boolean holdsUp(Reader reader, long nowMillis) {
        Told told = readers.get(reader);
        if (told == null) {
            return false;
        }
        long lowest = reader.reportedBelow();
        if (!isTooMuch(told, lowest) || told.stuck) {
            told.movedMillis = NOT;
            return false;
        }
        if (told.movedMillis == NOT || lowest != told.lowest) {
            told.lowest = lowest;
            told.movedMillis = nowMillis;
        } else if (nowMillis - told.movedMillis >= PATIENCE_MILLIS) {
            told.stuck = true;
            return false;
        }
        return true;
    }

    private boolean isTooMuch(Told told, long lowest) {
        if (told.sequence < lowest) {
            told.bytes = 0;
        }
        return told.sequence - lowest >= bounds.maximumMessages() / MOST_BEFORE_A_CLIENT
                || told.bytes > bounds.maximumBytes() / MOST_BEFORE_A_CLIENT;
    }
}

package io.heddle.core.delivery.device;

import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes from the buckets' logs what their queues have had for longer than the replay window: by then the queues keep it
 * themselves, and would not forget it. Belongs to the housekeeping thread that runs it; never blocks.
 *
 * <p>It notes how far the queues are, and deletes below a note when that is old enough. When queues turn out to stand behind a
 * note, the note follows them: nothing is deleted that they need. Bound: one note for each run within the window.
 */
public final class BucketTrimming {
    private static final Logger log = LoggerFactory.getLogger(BucketTrimming.class);

    private final BucketLog bucketLog;
    private final BucketPositions positions;
    private final SteadyClock clock;
    private final long windowMillis;
    private final long[] deletedBelow;
    private final ArrayDeque<Note> notes = new ArrayDeque<>();
    private final Counter failures;

    /** How far the queues of each bucket were at a moment. */
    private static final class Note {
        private final long atMillis;
        private final long[] applied;

        Note(long atMillis, long[] applied) {
            this.atMillis = atMillis;
            this.applied = applied;
        }
    }

    /**
     * Of all buckets, nothing deleted.
     *
     * @param bucketCount at least 1
     * @param window above 0
     */
    public BucketTrimming(
            BucketLog bucketLog,
            BucketPositions positions,
            int bucketCount,
            Duration window,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.bucketLog = bucketLog;
        this.positions = positions;
        this.clock = clock;
        this.windowMillis = window.toMillis();
        this.deletedBelow = new long[bucketCount];
        this.failures = metrics.counter("heddle.buckets.trim.failures");
    }

    /** Notes how far the queues are now, and deletes what they have had for long enough. */
    public void run() {
        long nowMillis = clock.millis();
        long[] applied = new long[deletedBelow.length];
        Arrays.setAll(applied, positions::appliedOffset);
        for (Note note : notes) {
            for (int bucket = 0; bucket < applied.length; bucket++) {
                note.applied[bucket] = Math.min(note.applied[bucket], applied[bucket]);
            }
        }
        notes.add(new Note(nowMillis, applied));
        Note due = null;
        for (Note first = notes.peek();
                first != null && first.atMillis + windowMillis <= nowMillis;
                first = notes.peek()) {
            due = notes.poll();
        }
        if (due != null) {
            delete(due);
        }
    }

    private void delete(Note due) {
        for (int bucket = 0; bucket < deletedBelow.length; bucket++) {
            long below = due.applied[bucket] + 1;
            if (below > deletedBelow[bucket]) {
                deletedBelow[bucket] = below;
                delete(bucket, below);
            }
        }
    }

    private void delete(int bucket, long below) {
        bucketLog.deleteBelow(bucket, below).whenComplete((_, failure) -> {
            if (failure != null) {
                // What comes later is deleted later, and this with it.
                failures.increment();
                log.debug("bucket {}: what is below offset {} could not be deleted", bucket, below, failure);
            }
        });
    }
}

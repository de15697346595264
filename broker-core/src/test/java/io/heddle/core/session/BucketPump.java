package io.heddle.core.session;

import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The thread of a {@link BucketWriter}, as the test drives it: reads the bucket log and applies it. */
final class BucketPump {
    private static final Duration NAP = Duration.ofMillis(5);

    private final BucketWriter writer;
    private final InMemoryBucketLog log;
    private final List<ManualEventLoop> loops;
    private final long[] applied = new long[TestStores.BUCKETS];
    private boolean applying = true;

    BucketPump(BucketWriter writer, InMemoryBucketLog log, List<ManualEventLoop> loops) {
        this.writer = writer;
        this.log = log;
        this.loops = loops;
    }

    /** Holds all buckets and applies their logs to their ends, which the broker awaits before it serves. */
    void start() {
        writer.start(Runnable::run);
        writer.hold(new Buckets(TestStores.BUCKETS).all());
        writer.advance();
        takeSeeks();
        while (apply() > 0) {
            // Until the ends.
        }
    }

    /** Sets whether records are applied. */
    void applying(boolean apply) {
        applying = apply;
    }

    /** Applies appended records; returns the number of batches. */
    int apply() {
        int batches = 0;
        if (!applying) {
            return batches;
        }
        Set<Integer> doubted = log.takeDoubted();
        writer.rewind(doubted);
        batches += doubted.size();
        writer.advance();
        takeSeeks();
        for (int bucket = 0; bucket < applied.length; bucket++) {
            BucketBatch batch = writer.canRead(bucket) ? log.readAfter(bucket, applied[bucket]) : null;
            if (batch != null) {
                writer.onCommands(bucket, batch.commands(), InMemoryBucketLog.WRITTEN_MILLIS);
                applied[bucket] = batch.lastOffset();
                batches++;
            }
        }
        writer.advance();
        writer.sendPushes();
        if (writer.pendingAnswers() == 0 && writer.maximumWaitMillis() < NAP.toMillis()) {
            // The writer waits for a client.
            loops.forEach(each -> each.advance(NAP));
            batches++;
        }
        return batches;
    }

    private void takeSeeks() {
        writer.takeSeeks().forEach((bucket, offset) -> applied[bucket] = offset);
    }
}

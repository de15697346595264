package io.heddle.core.session;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.bucket.BucketWriter;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.testkit.InMemoryBucketLog;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The bucket logs as one node reads them, and the thread of its {@link BucketWriter}, as the test drives it. */
public final class BucketPump implements BucketLog {
    private static final long UNTOLD = -1;

    private final InMemoryBucketLog shared;
    private final long[] applied;
    private final long[] told;
    private final Set<Integer> doubted = new HashSet<>();
    private @Nullable BucketWriter writer;
    private boolean applying = true;

    public BucketPump(InMemoryBucketLog shared, int buckets) {
        this.shared = shared;
        this.applied = new long[buckets];
        this.told = new long[buckets];
    }

    /** Applies the logs through this writer from now on. */
    public void start(BucketWriter to) {
        writer = to;
        to.start(Runnable::run);
    }

    private BucketWriter writer() {
        return Objects.requireNonNull(writer, "the pump is started first");
    }

    /** Sets whether records are applied. */
    public void applying(boolean apply) {
        applying = apply;
    }

    boolean isApplying() {
        return applying;
    }

    /** Applies appended records; returns the number of batches. */
    public int apply() {
        if (!applying) {
            return 0;
        }
        int batches = doubted.size();
        writer().rewind(Set.copyOf(doubted));
        doubted.clear();
        writer().advance();
        writer().takeSeeks().forEach((bucket, offset) -> {
            applied[bucket] = offset;
            told[bucket] = UNTOLD;
        });
        for (int bucket = 0; bucket < applied.length; bucket++) {
            BucketBatch batch = writer().canRead(bucket) ? shared.readAfter(bucket, applied[bucket]) : null;
            if (batch != null) {
                writer().onCommands(bucket, batch.commands(), InMemoryBucketLog.WRITTEN_MILLIS);
                applied[bucket] = batch.lastOffset();
                batches++;
            } else {
                tellEnd(bucket);
            }
        }
        writer().advance();
        writer().sendPushes();
        return batches;
    }

    /** The log may end with offsets that are no commands. */
    private void tellEnd(int bucket) {
        long end = shared.ends().toCompletableFuture().join().get(bucket);
        if (writer().canRead(bucket) && end != told[bucket]) {
            told[bucket] = end;
            writer().onReached(bucket, end);
        }
    }

    @Override
    public void read(BucketSink sink) {
        throw new UnsupportedOperationException("the test reads");
    }

    @Override
    public void stopReading() {}

    @Override
    public void hold(Set<Integer> numbers) {
        writer().hold(numbers);
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> numbers) {
        return writer().release(numbers);
    }

    @Override
    public void rewind(Set<Integer> numbers) {
        doubted.addAll(numbers);
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return shared.ends();
    }

    @Override
    public CompletionStage<List<Long>> sizes() {
        return shared.sizes();
    }

    @Override
    public CompletionStage<Void> deleteBelow(int bucket, long offset) {
        return shared.deleteBelow(bucket, offset);
    }
}

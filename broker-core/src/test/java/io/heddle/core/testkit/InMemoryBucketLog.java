package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * In-memory logs of all buckets, with gaps in their offsets on demand. Nothing reads them by itself: the test does, with
 * {@link #readAfter}. Thread-safe.
 */
public final class InMemoryBucketLog implements BucketLog {
    private static final long COMMAND_BYTES = 100;
    /** The timestamp of all commands, long after the start of any test's session. */
    public static final long WRITTEN_MILLIS = 1L << 42;

    private final List<Bucket> buckets = new ArrayList<>();
    private final Set<Integer> doubted = new HashSet<>();

    public InMemoryBucketLog(int bucketCount) {
        for (int i = 0; i < bucketCount; i++) {
            buckets.add(new Bucket());
        }
    }

    /** Appends a command and returns its offset. */
    public synchronized long add(int bucket, BucketCommand command) {
        Bucket log = bucket(bucket);
        log.commands.add(new Logged(log.end, command));
        return log.end++;
    }

    /** Skips an offset, like a transaction marker. */
    public synchronized void skip(int bucket) {
        bucket(bucket).end++;
    }

    /** Reads the commands after an offset; null when there are none. */
    public synchronized @Nullable BucketBatch readAfter(int bucket, long offset) {
        List<Logged> next = bucket(bucket).commands.stream()
                .filter(command -> command.offset() > offset)
                .toList();
        return next.isEmpty() ? null : new BucketBatch(bucket, offset, next);
    }

    /** The commands of a bucket. */
    public synchronized List<BucketCommand> commands(int bucket) {
        return bucket(bucket).commands.stream().map(Logged::command).toList();
    }

    private Bucket bucket(int bucket) {
        if (bucket < 0 || bucket >= buckets.size()) {
            throw new IllegalArgumentException("there is no bucket " + bucket);
        }
        return buckets.get(bucket);
    }

    /** Takes the rewound buckets. */
    public synchronized Set<Integer> takeDoubted() {
        Set<Integer> taken = Set.copyOf(doubted);
        doubted.clear();
        return taken;
    }

    @Override
    public synchronized void rewind(Set<Integer> numbers) {
        doubted.addAll(numbers);
    }

    @Override
    public synchronized CompletionStage<List<Long>> ends() {
        return CompletableFuture.completedFuture(
                buckets.stream().map(bucket -> bucket.end).toList());
    }

    @Override
    public synchronized CompletionStage<List<Long>> sizes() {
        return CompletableFuture.completedFuture(buckets.stream()
                .map(bucket -> bucket.commands.size() * COMMAND_BYTES)
                .toList());
    }

    @Override
    public synchronized CompletionStage<Void> deleteBelow(int bucket, long offset) {
        bucket(bucket).commands.removeIf(command -> command.offset() < offset);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void read(BucketSink sink) {
        throw new UnsupportedOperationException("the test reads");
    }

    @Override
    public void hold(Set<Integer> numbers) {
        throw new UnsupportedOperationException("the test reads");
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> numbers) {
        throw new UnsupportedOperationException("the test reads");
    }

    @Override
    public void stopReading() {
        throw new UnsupportedOperationException("the test reads");
    }

    /** The log of one bucket. Guarded by the outer log. */
    private static final class Bucket {
        private final List<Logged> commands = new ArrayList<>();
        private long end;
    }
}

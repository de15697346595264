package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A sink that records the calls of a bucket log. Thread-safe. */
public final class RecordingSink implements BucketSink {
    private static final long WAIT_MILLIS = 20;

    private final Map<Integer, Long> applied = new HashMap<>();
    private final Map<Integer, Long> seeks = new HashMap<>();
    private final Map<Integer, Long> preceding = new HashMap<>();
    private final Map<Integer, Long> reached = new HashMap<>();
    private final Map<Integer, String> stopped = new HashMap<>();
    private final Map<Integer, Long> goBack = new HashMap<>();
    private final Map<Integer, Long> appliedWhenAsked = new HashMap<>();
    private final Set<Integer> refused = new HashSet<>();
    private final Set<Integer> asked = new HashSet<>();
    private final List<BucketBatch> batches = new ArrayList<>();
    private final int bucketCount;
    private @Nullable Thread thread;
    private int tasks;
    private boolean silent;

    public RecordingSink(int bucketCount) {
        this.bucketCount = bucketCount;
    }

    /** Sets the applied offset of a bucket. */
    public synchronized RecordingSink startAfter(int bucket, long offset) {
        applied.put(bucket, offset);
        return this;
    }

    /** Sets the applied offset that a bucket has from the next rewind on: another node applies its log meanwhile. */
    public synchronized RecordingSink moveWhenAsked(int bucket, long offset) {
        appliedWhenAsked.put(bucket, offset);
        return this;
    }

    /** Seeks back to an offset after the next batch of a bucket. */
    public synchronized void goBackOnce(int bucket, long afterOffset) {
        goBack.put(bucket, afterOffset);
    }

    /** Sets whether a bucket can be read. */
    public synchronized void take(int bucket, boolean take) {
        if (take) {
            refused.remove(bucket);
        } else {
            refused.add(bucket);
        }
    }

    /** Clears the reached offsets. */
    public synchronized void forgetReached() {
        reached.clear();
    }

    /** Delays the seeks of the next rewind by one turn. */
    public synchronized void silentOnceWhenAsked() {
        silent = true;
    }

    @Override
    public synchronized void start(Executor readingThread) {
        thread = Thread.currentThread();
        for (int bucket = 0; bucket < bucketCount; bucket++) {
            place(bucket, applied.getOrDefault(bucket, BucketBatch.NOTHING));
        }
        readingThread.execute(this::ran);
    }

    private synchronized void ran() {
        if (!Thread.currentThread().equals(thread)) {
            throw new AssertionError("a task does not run on the reading thread");
        }
        tasks++;
    }

    /** The number of tasks that have run on the reading thread. */
    public synchronized int tasks() {
        return tasks;
    }

    private void place(int bucket, long afterOffset) {
        seeks.put(bucket, afterOffset);
        preceding.put(bucket, afterOffset);
    }

    @Override
    public synchronized void advance() {
        if (silent && !asked.isEmpty()) {
            silent = false;
            return;
        }
        asked.forEach(bucket -> place(bucket, applied.getOrDefault(bucket, BucketBatch.NOTHING)));
        asked.clear();
    }

    @Override
    public void sendPushes() {
        // It has no readers.
    }

    @Override
    public int pendingAnswers() {
        return 0;
    }

    @Override
    public long maximumWaitMillis() {
        return WAIT_MILLIS;
    }

    @Override
    public synchronized void rewind(Set<Integer> buckets) {
        asked.addAll(buckets);
        buckets.forEach(bucket -> {
            Long moved = appliedWhenAsked.remove(bucket);
            if (moved != null) {
                applied.put(bucket, moved);
            }
        });
    }

    @Override
    public synchronized Map<Integer, Long> takeSeeks() {
        Map<Integer, Long> taken = Map.copyOf(seeks);
        seeks.clear();
        return taken;
    }

    @Override
    public synchronized boolean canRead(int bucket) {
        return !asked.contains(bucket) && !refused.contains(bucket);
    }

    @Override
    public synchronized void onCommands(int bucket, List<Logged> commands, long firstMillis) {
        BucketBatch batch =
                new BucketBatch(bucket, preceding.getOrDefault(bucket, BucketBatch.NOTHING), List.copyOf(commands));
        batches.add(batch);
        preceding.put(bucket, batch.lastOffset());
        Long after = goBack.remove(bucket);
        if (after != null) {
            place(bucket, after);
        }
    }

    @Override
    public synchronized void onReached(int bucket, long nextOffset) {
        reached.put(bucket, nextOffset);
    }

    @Override
    public synchronized void onStopped(int bucket, String reason) {
        stopped.put(bucket, reason);
    }

    /** The batches of a bucket, in order. */
    public synchronized List<BucketBatch> batches(int bucket) {
        return batches.stream().filter(batch -> batch.bucket() == bucket).toList();
    }

    /** The offsets of the commands of a bucket, in order. */
    public synchronized List<Long> offsets(int bucket) {
        return batches(bucket).stream()
                .flatMap(batch -> batch.commands().stream())
                .map(BucketBatch.Logged::offset)
                .toList();
    }

    /** The reached offset of a bucket, or 0. */
    public synchronized long reached(int bucket) {
        return reached.getOrDefault(bucket, 0L);
    }

    /** The reason why a bucket was stopped, or null. */
    public synchronized @Nullable String stopped(int bucket) {
        return stopped.get(bucket);
    }
}

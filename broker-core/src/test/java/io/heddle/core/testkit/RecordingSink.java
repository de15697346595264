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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    private final Map<Integer, Long> goBackWhen = new HashMap<>();
    private final Map<Integer, Long> appliedWhenAsked = new HashMap<>();
    private final Set<Integer> refused = new HashSet<>();
    private final Set<Integer> asked = new HashSet<>();
    private final List<BucketBatch> batches = new ArrayList<>();
    private final Set<Integer> held = new HashSet<>();
    private @Nullable Thread thread;
    private int tasks;
    private boolean silent;
    private boolean holdsReleases;
    private final List<CompletableFuture<Void>> releases = new ArrayList<>();

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

    /** Seeks back to an offset after the batch of a bucket that reaches another offset. */
    public synchronized void goBackOnce(int bucket, long afterOffset, long whenReached) {
        goBack.put(bucket, afterOffset);
        goBackWhen.put(bucket, whenReached);
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
        readingThread.execute(this::ran);
    }

    @Override
    public synchronized void hold(Set<Integer> buckets) {
        for (int bucket : buckets) {
            if (!held.add(bucket)) {
                throw new AssertionError("bucket " + bucket + " is held already");
            }
            place(bucket, applied.getOrDefault(bucket, BucketBatch.NOTHING));
        }
    }

    @Override
    public synchronized CompletionStage<Void> release(Set<Integer> buckets) {
        held.removeAll(buckets);
        seeks.keySet().removeAll(buckets);
        asked.removeAll(buckets);
        CompletableFuture<Void> released = new CompletableFuture<>();
        releases.add(released);
        if (!holdsReleases) {
            completeReleases();
        }
        return released;
    }

    /** Delays the completion of releases until {@link #completeReleases}. */
    public synchronized void holdReleases() {
        holdsReleases = true;
    }

    public synchronized void completeReleases() {
        releases.forEach(release -> release.complete(null));
        releases.clear();
    }

    /** The held buckets. */
    public synchronized Set<Integer> held() {
        return Set.copyOf(held);
    }

    private void requireHeld(int bucket) {
        if (!held.contains(bucket)) {
            throw new AssertionError("bucket " + bucket + " is not held");
        }
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
        buckets.stream().filter(held::contains).forEach(bucket -> {
            asked.add(bucket);
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
        return held.contains(bucket) && !asked.contains(bucket) && !refused.contains(bucket);
    }

    @Override
    public synchronized void onCommands(int bucket, List<Logged> commands, long firstMillis) {
        requireHeld(bucket);
        BucketBatch batch =
                new BucketBatch(bucket, preceding.getOrDefault(bucket, BucketBatch.NOTHING), List.copyOf(commands));
        batches.add(batch);
        preceding.put(bucket, batch.lastOffset());
        Long after = batch.lastOffset() >= goBackWhen.getOrDefault(bucket, 0L) ? goBack.remove(bucket) : null;
        if (after != null) {
            place(bucket, after);
        }
    }

    @Override
    public synchronized void onReached(int bucket, long nextOffset) {
        requireHeld(bucket);
        reached.put(bucket, nextOffset);
    }

    @Override
    public synchronized void onStopped(int bucket, String reason) {
        requireHeld(bucket);
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

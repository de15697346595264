package io.heddle.core.testkit;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.BucketLog;
import io.heddle.core.delivery.device.BucketSink;
import io.heddle.core.delivery.log.BucketCommand;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The logs of all buckets in memory, with gaps in their offsets where a test wants them. Read by a thread of its own. */
public final class InMemoryBucketLog implements BucketLog {
    private static final long PAUSE_MILLIS = 5;

    private final List<Bucket> buckets = new ArrayList<>();
    private @Nullable Thread thread;
    private final Set<Integer> doubted = new HashSet<>();
    private boolean stopped;

    public InMemoryBucketLog(int bucketCount) {
        for (int i = 0; i < bucketCount; i++) {
            buckets.add(new Bucket(i));
        }
    }

    /** Appends a command and returns its offset. */
    public synchronized long add(int bucket, BucketCommand command) {
        Bucket log = bucket(bucket);
        log.commands.add(new Logged(log.end, command));
        notifyAll();
        return log.end++;
    }

    /** Takes an offset for nothing, like the end of a commit. */
    public synchronized void skip(int bucket) {
        bucket(bucket).end++;
        notifyAll();
    }

    /** What of a bucket follows an offset, for a test that reads by itself; null when nothing does. */
    public synchronized @Nullable BucketBatch readAfter(int bucket, long offset) {
        List<Logged> next = bucket(bucket).after(offset);
        return next.isEmpty() ? null : new BucketBatch(bucket, offset, next);
    }

    /** All commands of a bucket that are there. */
    public synchronized List<BucketCommand> commands(int bucket) {
        return bucket(bucket).commands.stream().map(Logged::command).toList();
    }

    private Bucket bucket(int bucket) {
        if (bucket < 0 || bucket >= buckets.size()) {
            throw new IllegalArgumentException("there is no bucket " + bucket);
        }
        return buckets.get(bucket);
    }

    @Override
    public synchronized void read(BucketSink sink) {
        if (thread != null) {
            throw new IllegalStateException("the bucket log is read already");
        }
        thread = Thread.ofPlatform().daemon().name("in-memory-bucket-log").start(() -> run(sink));
    }

    private void run(BucketSink sink) {
        boolean placed = false;
        while (true) {
            List<BucketBatch> batches = new ArrayList<>();
            try {
                if (!placed) {
                    for (Bucket bucket : buckets) {
                        place(bucket, sink.appliedOffset(bucket.number), sink);
                    }
                    placed = true;
                }
                askAnew(sink);
                if (!await(batches, sink)) {
                    return;
                }
                Map<Integer, Long> again = batches.isEmpty() ? Map.of() : sink.apply(batches);
                handled(batches, again, sink);
            } catch (RuntimeException e) {
                pause();
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the log of a test", e);
            }
        }
    }

    private void askAnew(BucketSink sink) {
        Set<Integer> asked = takeDoubted();
        if (asked.isEmpty()) {
            return;
        }
        boolean answered = false;
        try {
            Map<Integer, Long> offsets = sink.appliedOffsets(asked);
            synchronized (this) {
                offsets.forEach((bucket, after) -> bucket(bucket).rewind = after);
            }
            answered = true;
        } finally {
            if (!answered) {
                rewind(asked);
            }
        }
    }

    /** Waits until there is something to read, to ask, or to tell. False when reading is over. */
    private synchronized boolean await(List<BucketBatch> batches, BucketSink sink) throws InterruptedException {
        while (true) {
            if (stopped) {
                return false;
            }
            boolean moved = false;
            for (Bucket bucket : buckets) {
                long rewind = bucket.rewind;
                if (rewind != Bucket.NO_REWIND) {
                    bucket.rewind = Bucket.NO_REWIND;
                    place(bucket, rewind, sink);
                }
                List<Logged> next = bucket.stopped ? List.of() : bucket.after(bucket.handled);
                if (!next.isEmpty()) {
                    batches.add(new BucketBatch(bucket.number, bucket.handled, next));
                }
                moved |= !bucket.stopped && bucket.told != bucket.end;
            }
            if (moved || !batches.isEmpty() || !doubted.isEmpty()) {
                return true;
            }
            wait();
        }
    }

    private void handled(List<BucketBatch> batches, Map<Integer, Long> again, BucketSink sink) {
        List<Bucket> reached = new ArrayList<>();
        synchronized (this) {
            for (BucketBatch batch : batches) {
                bucket(batch.bucket()).handled = batch.lastOffset();
            }
            again.forEach((bucket, after) -> bucket(bucket).rewind = after);
            for (Bucket bucket : buckets) {
                if (!bucket.stopped
                        && bucket.rewind == Bucket.NO_REWIND
                        && bucket.after(bucket.handled).isEmpty()
                        && bucket.told != bucket.end) {
                    bucket.told = bucket.end;
                    reached.add(bucket);
                }
            }
        }
        reached.forEach(bucket -> sink.reached(bucket.number, bucket.told));
    }

    private synchronized void place(Bucket bucket, long after, BucketSink sink) {
        if (after != BucketBatch.NOTHING && (after + 1 < bucket.begin || after + 1 > bucket.end)) {
            bucket.stopped = true;
            sink.stopped(
                    bucket.number, "bucket " + bucket.number + " is stopped: offset " + after + " is not in its log");
        } else {
            bucket.handled = after;
            bucket.told = -1;
        }
    }

    private synchronized void pause() {
        try {
            TimeUnit.MILLISECONDS.timedWait(this, PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stopReading() {
        Thread reading;
        synchronized (this) {
            stopped = true;
            notifyAll();
            reading = thread;
        }
        try {
            if (reading != null) {
                reading.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void rewind(Set<Integer> numbers) {
        doubted.addAll(numbers);
        notifyAll();
    }

    /** Where to go on with these is to be asked anew: for a test that reads by itself. */
    public synchronized Set<Integer> takeDoubted() {
        Set<Integer> taken = Set.copyOf(doubted);
        doubted.clear();
        return taken;
    }

    @Override
    public synchronized CompletionStage<List<Long>> ends() {
        return CompletableFuture.completedFuture(
                buckets.stream().map(bucket -> bucket.end).toList());
    }

    @Override
    public synchronized CompletionStage<Void> deleteBelow(int bucket, long offset) {
        Bucket log = bucket(bucket);
        log.begin = Math.max(log.begin, Math.min(offset, log.end));
        log.commands.removeIf(command -> command.offset() < log.begin);
        return CompletableFuture.completedFuture(null);
    }

    /** One bucket's log and its reader's place in it. Guarded by the log. */
    private static final class Bucket {
        private static final long NO_REWIND = Long.MIN_VALUE;

        private final int number;
        private final List<Logged> commands = new ArrayList<>();
        private long begin;
        private long end;
        private long handled = BucketBatch.NOTHING;
        private long told = -1;
        private long rewind = NO_REWIND;
        private boolean stopped;

        Bucket(int number) {
            this.number = number;
        }

        List<Logged> after(long offset) {
            return commands.stream()
                    .filter(command -> command.offset() > offset)
                    .toList();
        }
    }
}

package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** In-memory logs of all buckets, with gaps in their offsets on demand. Read by a thread of its own. */
public final class InMemoryBucketLog implements BucketLog {
    private static final long PAUSE_MILLIS = 20;
    private static final long COMMAND_BYTES = 100;
    /** The timestamp of all commands, long after the start of any test's session. */
    public static final long WRITTEN_MILLIS = 1L << 42;

    private final List<Bucket> buckets = new ArrayList<>();
    private @Nullable Thread thread;
    private final Set<Integer> doubted = new HashSet<>();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean stopped;
    private boolean ended;
    private @Nullable BucketSink reader;
    private final List<CompletableFuture<Void>> releases = new ArrayList<>();

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

    /** Skips an offset, like a transaction marker. */
    public synchronized void skip(int bucket) {
        bucket(bucket).end++;
        notifyAll();
    }

    /** Reads the commands after an offset, for a test without a reading thread; null when there are none. */
    public synchronized @Nullable BucketBatch readAfter(int bucket, long offset) {
        List<Logged> next = bucket(bucket).after(offset);
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

    @Override
    public synchronized void read(BucketSink sink) {
        if (thread != null) {
            throw new IllegalStateException("the bucket log is read already");
        }
        reader = sink;
        thread = Thread.ofPlatform().daemon().name("in-memory-bucket-log").start(() -> run(sink));
    }

    private void run(BucketSink sink) {
        sink.start(this::give);
        while (!isStopped()) {
            for (Runnable task = nextTask(); task != null; task = nextTask()) {
                task.run();
            }
            sink.rewind(takeDoubted());
            sink.advance();
            Map<Integer, Long> seeks = sink.takeSeeks();
            for (Bucket bucket : heldBuckets()) {
                Long after = seeks.get(bucket.number);
                if (after != null) {
                    place(bucket, after, sink);
                }
                readOn(bucket, sink);
            }
            sink.advance();
            sink.sendPushes();
            pause(sink);
        }
    }

    private void readOn(Bucket bucket, BucketSink sink) {
        if (!bucket.held || bucket.handled == Bucket.NOT_PLACED || bucket.stopped) {
            return;
        }
        if (bucket.handled != BucketBatch.NOTHING && isTruncated(bucket)) {
            doubt(bucket, sink);
            return;
        }
        if (sink.canRead(bucket.number)) {
            BucketBatch batch = readAfter(bucket.number, bucket.handled);
            if (batch != null) {
                bucket.handled = batch.lastOffset();
                sink.onCommands(bucket.number, batch.commands(), WRITTEN_MILLIS);
            }
        }
        long end = endWhenReached(bucket);
        if (end != bucket.told) {
            bucket.told = end;
            sink.onReached(bucket.number, end);
        }
    }

    private synchronized long endWhenReached(Bucket bucket) {
        return bucket.after(bucket.handled).isEmpty() ? bucket.end : bucket.told;
    }

    private synchronized List<Bucket> heldBuckets() {
        return buckets.stream().filter(bucket -> bucket.held).toList();
    }

    @Override
    public void hold(Set<Integer> numbers) {
        BucketSink to = reading();
        give(() -> {
            Set<Integer> gained = new HashSet<>();
            for (int number : numbers) {
                if (!bucket(number).held) {
                    bucket(number).begin(true);
                    gained.add(number);
                }
            }
            to.hold(gained);
        });
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> numbers) {
        BucketSink to = reading();
        CompletableFuture<Void> released = new CompletableFuture<>();
        synchronized (this) {
            if (ended) {
                released.complete(null);
                return released;
            }
            releases.add(released);
        }
        give(() -> {
            numbers.forEach(number -> bucket(number).begin(false));
            to.release(numbers).thenAccept(released::complete);
        });
        return released;
    }

    private synchronized BucketSink reading() {
        if (reader == null) {
            throw new IllegalStateException("start reading the bucket log before this call");
        }
        return reader;
    }

    private synchronized void give(Runnable task) {
        tasks.add(task);
        notifyAll();
    }

    private synchronized @Nullable Runnable nextTask() {
        return tasks.poll();
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized boolean isTruncated(Bucket bucket) {
        return bucket.handled + 1 < bucket.begin;
    }

    private synchronized void place(Bucket bucket, long after, BucketSink sink) {
        if (after == BucketBatch.NOTHING || (after + 1 >= bucket.begin && after + 1 <= bucket.end)) {
            bucket.isDoubted = false;
            bucket.handled = after;
            bucket.told = -1;
        } else if (bucket.isDoubted) {
            bucket.stopped = true;
            sink.onStopped(
                    bucket.number, "bucket " + bucket.number + " is stopped: offset " + after + " is not in its log");
        } else {
            doubt(bucket, sink);
        }
    }

    /** Determines the position of a bucket again. */
    private static void doubt(Bucket bucket, BucketSink sink) {
        bucket.isDoubted = true;
        bucket.handled = Bucket.NOT_PLACED;
        sink.rewind(Set.of(bucket.number));
    }

    private synchronized void pause(BucketSink sink) {
        try {
            if (tasks.isEmpty() && doubted.isEmpty() && !stopped) {
                TimeUnit.MILLISECONDS.timedWait(this, Math.clamp(sink.maximumWaitMillis(), 1, PAUSE_MILLIS));
            }
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
        synchronized (this) {
            ended = true;
            releases.forEach(release -> release.complete(null));
        }
    }

    @Override
    public synchronized void rewind(Set<Integer> numbers) {
        doubted.addAll(numbers);
        notifyAll();
    }

    /** Takes the rewound buckets, for a test without a reading thread. */
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
    public synchronized CompletionStage<List<Long>> sizes() {
        return CompletableFuture.completedFuture(buckets.stream()
                .map(bucket -> bucket.commands.size() * COMMAND_BYTES)
                .toList());
    }

    @Override
    public synchronized CompletionStage<Void> deleteBelow(int bucket, long offset) {
        Bucket log = bucket(bucket);
        log.begin = Math.max(log.begin, Math.min(offset, log.end));
        log.commands.removeIf(command -> command.offset() < log.begin);
        return CompletableFuture.completedFuture(null);
    }

    /** The log of one bucket and the position of its reader. Guarded by the outer log. */
    private static final class Bucket {
        private static final long NOT_PLACED = Long.MIN_VALUE;

        private final int number;
        private final List<Logged> commands = new ArrayList<>();
        private long begin;
        private long end;
        private long handled = NOT_PLACED;
        private long told = -1;
        private boolean held;
        private boolean isDoubted;
        private boolean stopped;

        Bucket(int number) {
            this.number = number;
        }

        void begin(boolean hold) {
            held = hold;
            handled = NOT_PLACED;
            told = -1;
            isDoubted = false;
            stopped = false;
        }

        List<Logged> after(long offset) {
            return commands.stream()
                    .filter(command -> command.offset() > offset)
                    .toList();
        }
    }
}

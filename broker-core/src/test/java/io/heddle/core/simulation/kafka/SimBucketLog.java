package io.heddle.core.simulation.kafka;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.kafka.SimPartition.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The reader of the bucket logs in one process. Each turn of its thread is an event, like a poll of the product's KafkaBucketReader. */
final class SimBucketLog implements BucketLog {
    private static final long NO_POSITION = -1;
    private static final long RECORD_BYTES = 100;
    private static final long SHORTEST_WAIT_MICROS = 2_000;

    private final SimKafkaClient client;
    private final World world;
    private final List<SimPartition> partitions;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Set<Integer> rewinds = new TreeSet<>();
    private final Runnable onChange = this::wakeSoon;
    private final long[] next;
    private final long[] reported;
    private final boolean[] stopped;
    private final boolean[] doubted;
    private final boolean[] held;
    private final List<CompletableFuture<Void>> releases = new ArrayList<>();
    private @Nullable BucketSink sink;
    private boolean started;
    private boolean ended;
    private long wakeNanos = Long.MAX_VALUE;

    SimBucketLog(SimKafkaClient client) {
        this.client = client;
        this.world = client.world();
        this.partitions = client.kafka().topic(SimKafka.BUCKETS);
        this.next = new long[partitions.size()];
        Arrays.fill(next, NO_POSITION);
        this.reported = new long[partitions.size()];
        this.stopped = new boolean[partitions.size()];
        this.doubted = new boolean[partitions.size()];
        this.held = new boolean[partitions.size()];
    }

    @Override
    public void read(BucketSink reading) {
        if (sink != null) {
            throw new IllegalStateException("the bucket log is read already");
        }
        sink = reading;
        partitions.forEach(partition -> partition.whenChanged(onChange));
        wakeSoon();
    }

    private void wakeSoon() {
        wake(world.random().nextInt(10, 2_000));
    }

    private void wake(long micros) {
        long due = world.nanoTime() + micros * 1_000;
        if (due < wakeNanos) {
            wakeNanos = due;
            world.at(client.process(), due, () -> {
                if (wakeNanos == due) {
                    wakeNanos = Long.MAX_VALUE;
                    turn();
                }
            });
        }
    }

    private void wakeUnlessDue() {
        if (wakeNanos == Long.MAX_VALUE) {
            wakeSoon();
        }
    }

    private void turn() {
        BucketSink to = sink;
        if (to == null) {
            return;
        }
        if (!started) {
            started = true;
            to.start(task -> {
                tasks.add(task);
                wake(world.random().nextInt(1, 100));
            });
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        if (!rewinds.isEmpty()) {
            Set<Integer> requested = new TreeSet<>(rewinds);
            requested.removeIf(bucket -> !held[bucket]);
            rewinds.clear();
            to.rewind(requested);
        }
        to.advance();
        to.sendPushes();
        to.takeSeeks().forEach((bucket, after) -> seek(bucket, after, to));
        for (int bucket = 0; bucket < partitions.size(); bucket++) {
            poll(bucket, to);
        }
        to.advance();
        wake(Math.max(SHORTEST_WAIT_MICROS, to.maximumWaitMillis() * 1_000));
    }

    @Override
    public void hold(Set<Integer> buckets) {
        BucketSink to = requireReading();
        tasks.add(() -> {
            Set<Integer> gained = new TreeSet<>();
            for (int bucket : new TreeSet<>(buckets)) {
                if (!held[bucket]) {
                    begin(bucket, true);
                    gained.add(bucket);
                }
            }
            to.hold(gained);
        });
        wakeUnlessDue();
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> buckets) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        if (ended) {
            released.complete(null);
            return released;
        }
        BucketSink to = requireReading();
        releases.add(released);
        tasks.add(() -> {
            buckets.forEach(bucket -> begin(bucket, false));
            rewinds.removeAll(buckets);
            to.release(buckets).thenAccept(released::complete);
        });
        wakeUnlessDue();
        return released;
    }

    private void begin(int bucket, boolean hold) {
        held[bucket] = hold;
        next[bucket] = NO_POSITION;
        stopped[bucket] = false;
        doubted[bucket] = false;
    }

    private void completeReleases() {
        releases.forEach(release -> release.complete(null));
        releases.clear();
    }

    private BucketSink requireReading() {
        if (sink == null) {
            throw new IllegalStateException("start reading the bucket log before this call");
        }
        return sink;
    }

    private void seek(int bucket, long after, BucketSink to) {
        SimPartition partition = partitions.get(bucket);
        long from = after == BucketBatch.NOTHING ? partition.begin() : after + 1;
        if (from < partition.begin() || from > partition.end()) {
            doubt(bucket, "offset " + after + " is not in its log", to);
        } else if (!stopped[bucket]) {
            doubted[bucket] = false;
            next[bucket] = from;
            reported[bucket] = NO_POSITION;
        }
    }

    /** Determines the position of a bucket again, or stops the bucket if the position was doubted before. */
    private void doubt(int bucket, String reason, BucketSink to) {
        if (doubted[bucket]) {
            stopped[bucket] = true;
            to.onStopped(bucket, "bucket " + bucket + " is stopped: " + reason);
        } else {
            doubted[bucket] = true;
            next[bucket] = NO_POSITION;
            rewinds.add(bucket);
            wakeSoon();
        }
    }

    private void poll(int bucket, BucketSink to) {
        SimPartition partition = partitions.get(bucket);
        if (stopped[bucket] || next[bucket] == NO_POSITION || partition.isAway()) {
            return;
        }
        if (next[bucket] < partition.begin()) {
            doubt(bucket, "its log no longer contains offset " + next[bucket], to);
            return;
        }
        boolean committed = !client.has(Mistake.READ_UNCOMMITTED);
        if (to.canRead(bucket)) {
            List<Entry> entries = partition.read(next[bucket], world.random().nextInt(1, 40), committed);
            if (!entries.isEmpty()) {
                next[bucket] = entries.getLast().offset() + 1;
                to.onCommands(bucket, commands(entries), entries.getFirst().millis());
                wakeSoon();
            }
        }
        if (partition.read(next[bucket], 1, committed).isEmpty()) {
            long position = Math.max(next[bucket], committed ? partition.lastStableOffset() : partition.end());
            if (position != reported[bucket]) {
                reported[bucket] = position;
                to.onReached(bucket, position);
            }
        }
    }

    private static List<Logged> commands(List<Entry> entries) {
        List<Logged> commands = new ArrayList<>();
        for (Entry entry : entries) {
            if (!(entry.value() instanceof BucketCommand command)) {
                throw new IllegalStateException("no command: " + entry);
            }
            commands.add(new Logged(entry.offset(), command));
        }
        return commands;
    }

    @Override
    public void stopReading() {
        sink = null;
        ended = true;
        completeReleases();
        partitions.forEach(partition -> partition.forget(onChange));
    }

    @Override
    public void rewind(Set<Integer> buckets) {
        rewinds.addAll(buckets);
        wakeSoon();
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return client.ask(
                partitions, () -> partitions.stream().map(SimPartition::end).toList());
    }

    @Override
    public CompletionStage<List<Long>> sizes() {
        return client.ask(
                partitions,
                () -> partitions.stream()
                        .map(partition -> partition.size() * RECORD_BYTES)
                        .toList());
    }

    @Override
    public CompletionStage<Void> deleteBelow(int bucket, long offset) {
        SimPartition partition = partitions.get(bucket);
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        client.ask(List.of(partition), () -> {
                    partition.deleteBelow(offset);
                    return true;
                })
                .whenComplete((_, failure) -> {
                    if (failure == null) {
                        deleted.complete(null);
                    } else {
                        deleted.completeExceptionally(failure);
                    }
                });
        return deleted;
    }
}

package io.heddle.persistence.kafka.read;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The bucket log as a topic whose partitions are the buckets. Thread-safe; the {@link PollLoop} {@code heddle-buckets} reads the partitions
 * of the held buckets. Bound: one pending release for each request of the owner of the buckets.
 */
public final class KafkaBucketLog implements BucketLog {
    private static final String LOOP = "heddle-buckets";

    private final KafkaSettings settings;
    private final LogOffsets offsets;
    private final LogSizes sizes;
    private final WatchedThreads threads;
    private final MeterRegistry registry;
    private final List<TopicPartition> partitions;
    // Guarded by this.
    private @Nullable KafkaBucketReader reader;
    private @Nullable PollLoop loop;
    private boolean stopped;
    private final List<CompletableFuture<Void>> releases = new ArrayList<>();

    public KafkaBucketLog(KafkaCluster cluster, MeterRegistry registry) {
        this.settings = cluster.settings();
        this.offsets = new LogOffsets(cluster.admin());
        this.sizes = new LogSizes(cluster.admin());
        this.threads = cluster.threads();
        this.registry = registry;
        this.partitions = LogOffsets.partitions(KafkaTopics.BUCKETS, settings.bucketCount());
    }

    @Override
    public synchronized void read(BucketSink sink) {
        if (loop != null) {
            throw new IllegalStateException("the bucket log is already being read");
        }
        KafkaBucketReader created =
                new KafkaBucketReader(partitions, sink, settings.bootstrapServers(), System::nanoTime, registry);
        PollLoop started = new PollLoop(LOOP, new LogConsumers(settings).create(LOOP), created, threads, registry);
        reader = created;
        loop = started;
        started.start();
    }

    @Override
    public void stopReading() {
        PollLoop running;
        synchronized (this) {
            running = loop;
        }
        if (running != null) {
            running.close();
        }
        List<CompletableFuture<Void>> pending;
        synchronized (this) {
            stopped = true;
            pending = List.copyOf(releases);
        }
        // No thread calls the sink any more.
        pending.forEach(release -> release.complete(null));
    }

    @Override
    public synchronized void hold(Set<Integer> buckets) {
        reader().hold(Set.copyOf(buckets));
        loop().wakeUp();
    }

    @Override
    public CompletionStage<Void> release(Set<Integer> buckets) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        synchronized (this) {
            KafkaBucketReader reading = reader();
            if (stopped) {
                released.complete(null);
                return released;
            }
            releases.add(released);
            reading.release(Set.copyOf(buckets), released);
            loop().wakeUp();
        }
        return released.whenComplete((_, _) -> forgetCompleted());
    }

    private synchronized void forgetCompleted() {
        releases.removeIf(CompletableFuture::isDone);
    }

    @Override
    public synchronized void rewind(Set<Integer> buckets) {
        reader().rewind(Set.copyOf(buckets));
        loop().wakeUp();
    }

    private KafkaBucketReader reader() {
        if (reader == null) {
            throw new IllegalStateException("start reading the bucket log before this call");
        }
        return reader;
    }

    private PollLoop loop() {
        if (loop == null) {
            throw new IllegalStateException("start reading the bucket log before this call");
        }
        return loop;
    }

    @Override
    public CompletionStage<List<Long>> ends() {
        return offsets.ends(partitions);
    }

    @Override
    public CompletionStage<List<Long>> sizes() {
        return sizes.of(partitions);
    }

    @Override
    public CompletionStage<Void> deleteBelow(int bucket, long offset) {
        return offsets.deleteBelow(partitions.get(bucket), offset);
    }
}

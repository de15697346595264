package io.heddle.persistence.kafka;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.bucket.BucketSink;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The bucket log as a topic: partition = bucket. Thread-safe; read by one {@link PollLoop}, {@code heddle-buckets}. */
final class KafkaBucketLog implements BucketLog {
    private static final String LOOP = "heddle-buckets";

    private final KafkaSettings settings;
    private final LogOffsets offsets;
    private final LogSizes sizes;
    private final MeterRegistry registry;
    private final List<TopicPartition> partitions;
    // Guarded by this.
    private @Nullable KafkaBucketReader reader;
    private @Nullable PollLoop loop;

    KafkaBucketLog(KafkaSettings settings, LogOffsets offsets, LogSizes sizes, MeterRegistry registry) {
        this.settings = settings;
        this.offsets = offsets;
        this.sizes = sizes;
        this.registry = registry;
        this.partitions = LogOffsets.partitions(KafkaTopics.BUCKETS, settings.bucketCount());
    }

    @Override
    public synchronized void read(BucketSink sink) {
        if (loop != null) {
            throw new IllegalStateException("the bucket log is read already");
        }
        KafkaBucketReader created = new KafkaBucketReader(partitions, sink, settings.bootstrapServers(), registry);
        PollLoop started = new PollLoop(LOOP, new LogConsumers(settings).create(LOOP), created, registry);
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
    }

    @Override
    public synchronized void rewind(Set<Integer> buckets) {
        if (reader == null || loop == null) {
            throw new IllegalStateException("the bucket log is not read yet");
        }
        reader.rewind(buckets);
        loop.wakeUp();
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

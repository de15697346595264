package io.heddle.persistence.kafka.read;

import io.heddle.core.changelog.LogFollower;
import io.heddle.core.watchdog.WatchedThreads;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Follows compacted topics, each with a consumer and a thread of its own. Thread-safe. Metric: {@code heddle.followed.lag{topic}}.
 */
public final class TopicFollowers implements AutoCloseable {
    private static final String THREAD = "heddle-follow-";

    private final KafkaSettings settings;
    private final LogOffsets offsets;
    private final WatchedThreads threads;
    private final MeterRegistry registry;
    // Guarded by this.
    private final List<PollLoop> loops = new ArrayList<>();
    private final Map<String, TopicFollower<?>> followed = new ConcurrentHashMap<>();
    private boolean isClosed;

    public TopicFollowers(KafkaCluster cluster, MeterRegistry registry) {
        this.settings = cluster.settings();
        this.offsets = new LogOffsets(cluster.admin());
        this.threads = cluster.threads();
        this.registry = registry;
    }

    /**
     * Passes the records of a topic to a follower until {@link #close}.
     *
     */
    public synchronized <R> void follow(
            String topic, int partitionCount, RecordDecoder<R> decoder, LogFollower<R> follower) {
        if (isClosed) {
            return;
        }
        TopicFollower<R> following =
                new TopicFollower<>(LogOffsets.partitions(topic, partitionCount), decoder, follower);
        String name = THREAD + topic.substring(topic.lastIndexOf('.') + 1);
        PollLoop loop =
                new PollLoop(name, new LogConsumers(settings).createFollower(name), following, threads, registry);
        loops.add(loop);
        followed.put(topic, following);
        Gauge.builder("heddle.followed.lag", following, TopicFollower::lag)
                .description("Records of a log that this node follows and has not read yet")
                .tag("topic", topic)
                .register(registry);
        loop.start();
    }

    /** Returns the number of records that were not passed on, as of the last poll, by the name of the topic. */
    public Map<String, Long> lag() {
        Map<String, Long> lag = new HashMap<>();
        followed.forEach((topic, follower) -> lag.put(topic, follower.lag()));
        return lag;
    }

    /** Returns the next offset of each partition of a topic; records of open transactions are below it. */
    public CompletionStage<List<Long>> ends(String topic, int partitionCount) {
        List<TopicPartition> partitions = LogOffsets.partitions(topic, partitionCount);
        return offsets.ends(partitions);
    }

    /** Ends the threads. Blocks. */
    @Override
    public void close() {
        List<PollLoop> running;
        synchronized (this) {
            isClosed = true;
            running = List.copyOf(loops);
            loops.clear();
        }
        running.forEach(PollLoop::close);
    }
}

package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the acknowledgements of APPLICATION clients as the offsets of a consumer group without members, so that Kafka's own tools show
 * the lag of each client. Heddle never reads them back. Owned by the thread of {@link ApplicationTopics}. One call is in flight at a time;
 * offsets that were not committed are part of the next call.
 */
final class ApplicationGroup {
    static final String ID = "heddle.applications";

    private static final Logger log = LoggerFactory.getLogger(ApplicationGroup.class);

    /** Kafka deletes the offsets of a group without members, by default a week after the commit, so all are committed again. */
    private static final long REPEAT_INTERVAL_NANOS = Duration.ofHours(1).toNanos();

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationMetrics metrics;
    private final Executor thread;
    private final OwnerThread owner;
    private final LongSupplier nanoTime;
    private long repeatedNanos;
    private boolean inFlight;
    private boolean failing;

    /**
     * @param thread executes tasks on the owning thread
     * @param owner the owning thread
     */
    ApplicationGroup(
            Admin admin,
            KafkaSettings settings,
            ApplicationMetrics metrics,
            Executor thread,
            OwnerThread owner,
            LongSupplier nanoTime) {
        this.admin = admin;
        this.settings = settings;
        this.metrics = metrics;
        this.thread = thread;
        this.owner = owner;
        this.nanoTime = nanoTime;
        this.repeatedNanos = nanoTime.getAsLong();
    }

    /** Commits the acknowledged offsets of these topics, as far as they are not committed yet. */
    void commit(Collection<ApplicationTopic> topics) {
        owner.assertCurrent();
        if (inFlight) {
            return;
        }
        boolean repeats = nanoTime.getAsLong() - repeatedNanos >= REPEAT_INTERVAL_NANOS;
        List<OffsetCommit> commits = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (ApplicationTopic topic : topics) {
            if (repeats) {
                topic.forgetCommitted();
            }
            long below = topic.uncommitted();
            if (below >= 0 && !topic.isEnded()) {
                commits.add(new OffsetCommit(topic, topic.generation(), below));
                offsets.put(topic.partition(), new OffsetAndMetadata(below));
            }
        }
        if (repeats) {
            repeatedNanos = nanoTime.getAsLong();
        }
        if (!commits.isEmpty()) {
            inFlight = true;
            await(commits, admin.alterConsumerGroupOffsets(ID, offsets));
        }
    }

    private void await(List<OffsetCommit> commits, AlterConsumerGroupOffsetsResult answer) {
        for (OffsetCommit each : commits) {
            answer.partitionResult(each.topic.partition())
                    .toCompletionStage()
                    .whenCompleteAsync((_, failure) -> onCommitted(each, failure == null), thread);
        }
        answer.all().toCompletionStage().whenCompleteAsync((_, failure) -> onAllCommitted(failure), thread);
    }

    private void onCommitted(OffsetCommit commit, boolean isCommitted) {
        owner.assertCurrent();
        if (isCommitted) {
            commit.topic.onCommitted(commit.generation, commit.below);
            metrics.offsetsCommitted.increment();
        } else {
            metrics.offsetsFailed.increment();
        }
    }

    private void onAllCommitted(@Nullable Throwable failure) {
        owner.assertCurrent();
        inFlight = false;
        if (failure != null && !failing) {
            log.warn(
                    "Kafka at {} rejects offset commits of group {}; Kafka's tools show a stale lag of APPLICATION clients, delivery is"
                            + " not affected, and the commits are retried (check that Heddle's account may read this group and that no"
                            + " consumer uses it): {}",
                    settings.bootstrapServers(),
                    ID,
                    KafkaFaults.cause(failure).getMessage());
        }
        failing = failure != null;
    }

    private record OffsetCommit(ApplicationTopic topic, long generation, long below) {}
}

package io.heddle.persistence.kafka.application;

import io.heddle.persistence.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows Kafka's own tools how far APPLICATION clients are: as the committed offsets of one consumer group, which never has members.
 * Nothing reads them back. Belongs to the thread of {@link ApplicationTopics}; one call is under way at a time, and what could not be
 * told is in the next.
 */
final class ApplicationGroup {
    static final String ID = "heddle.applications";

    private static final Logger log = LoggerFactory.getLogger(ApplicationGroup.class);

    /** Kafka forgets the offsets of a group without members, by default a week after they were told. */
    private static final long REPEATED_AFTER_NANOS = Duration.ofHours(1).toNanos();

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationMetrics metrics;
    private final Executor thread;
    private long repeatedNanos = System.nanoTime();
    private boolean underWay;
    private boolean failing;

    /** @param thread that owns this and the topics */
    ApplicationGroup(Admin admin, KafkaSettings settings, ApplicationMetrics metrics, Executor thread) {
        this.admin = admin;
        this.settings = settings;
        this.metrics = metrics;
        this.thread = thread;
    }

    /** Tells how far the sessions of these topics are, where that is not known yet. */
    void tell(Collection<ApplicationTopic> topics) {
        if (underWay) {
            return;
        }
        boolean again = System.nanoTime() - repeatedNanos >= REPEATED_AFTER_NANOS;
        List<Telling> tellings = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (ApplicationTopic topic : topics) {
            if (again) {
                topic.tellAgain();
            }
            long below = topic.unreported();
            if (below >= 0 && !topic.isEnded()) {
                tellings.add(new Telling(topic, topic.generation(), below));
                offsets.put(topic.partition(), new OffsetAndMetadata(below));
            }
        }
        if (again) {
            repeatedNanos = System.nanoTime();
        }
        if (!tellings.isEmpty()) {
            underWay = true;
            await(tellings, admin.alterConsumerGroupOffsets(ID, offsets));
        }
    }

    private void await(List<Telling> tellings, AlterConsumerGroupOffsetsResult answer) {
        for (Telling each : tellings) {
            answer.partitionResult(each.topic.partition())
                    .toCompletionStage()
                    .whenCompleteAsync((_, failure) -> told(each, failure == null), thread);
        }
        answer.all().toCompletionStage().whenCompleteAsync((_, failure) -> ended(failure), thread);
    }

    private void told(Telling telling, boolean taken) {
        if (taken) {
            telling.topic.told(telling.generation, telling.below);
            metrics.offsetsCommitted.increment();
        } else {
            metrics.offsetsFailed.increment();
        }
    }

    private void ended(@Nullable Throwable failure) {
        underWay = false;
        if (failure != null && !failing) {
            log.warn(
                    "Kafka at {} does not take the offsets of group {} ({}), so its tools do not show how far applications are:"
                            + " see that Heddle's account may read this group and that nobody consumes under its name. Delivery goes"
                            + " on, and they are told again",
                    settings.bootstrapServers(),
                    ID,
                    ApplicationTopics.cause(failure).getMessage());
        }
        failing = failure != null;
    }

    private record Telling(ApplicationTopic topic, long generation, long below) {}
}

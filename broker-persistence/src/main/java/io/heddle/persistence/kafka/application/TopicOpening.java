package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.Stages;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.read.LogOffsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the topics of existing sessions and recreates missing ones. Owned by the thread of {@link ApplicationTopics}. */
final class TopicOpening {
    private static final Logger log = LoggerFactory.getLogger(TopicOpening.class);

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationLogSettings limits;
    private final KafkaTopics topics;
    private final LogOffsets offsets;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final OwnerThread owner;

    /**
     * @param thread the owning thread
     * @param owner the owning thread
     */
    TopicOpening(
            Admin admin,
            KafkaSettings settings,
            ApplicationLogSettings limits,
            LogOffsets offsets,
            LongSupplier nanoTime,
            ScheduledExecutorService thread,
            OwnerThread owner) {
        this.admin = admin;
        this.settings = settings;
        this.limits = limits;
        this.topics = new KafkaTopics(settings);
        this.offsets = offsets;
        this.nanoTime = nanoTime;
        this.thread = thread;
        this.owner = owner;
    }

    /**
     * @param found the names of all topics
     * @return the next offset of each topic; fails with {@link StoreUnavailableException}
     */
    CompletionStage<Map<ClientId, Long>> open(Map<ClientId, ApplicationTopic> ofSessions, Set<String> found) {
        owner.assertCurrent();
        List<NewTopic> missing = new ArrayList<>();
        List<ClientId> clients = new ArrayList<>();
        List<TopicPartition> partitions = new ArrayList<>();
        ofSessions.forEach((clientId, topic) -> {
            clients.add(clientId);
            partitions.add(topic.partition());
            if (!found.contains(topic.name())) {
                log.error(
                        "Topic {} is missing in Kafka at {} and is recreated; its undelivered messages are lost: clientId={}",
                        topic.name(),
                        settings.bootstrapServers(),
                        clientId);
                missing.add(topics.application(topic.name(), limits));
            }
        });
        return create(missing)
                .thenComposeAsync(_ -> ends(partitions, Deadline.in(TopicCreation.TIMEOUT, nanoTime)), thread)
                .handle((ends, failure) -> {
                    if (failure != null) {
                        throw StoreUnavailableException.kafka(
                                "Kafka did not open the topics of APPLICATION clients", KafkaFaults.cause(failure));
                    }
                    Map<ClientId, Long> endOfClient = new HashMap<>();
                    for (int i = 0; i < clients.size(); i++) {
                        endOfClient.put(clients.get(i), ends.get(i));
                    }
                    return endOfClient;
                });
    }

    /** Creates topics. One that exists by now was created by an earlier attempt. */
    private CompletionStage<Void> create(List<NewTopic> missing) {
        if (missing.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        List<CompletableFuture<Void>> created = new ArrayList<>();
        for (KafkaFuture<Void> each : admin.createTopics(missing).values().values()) {
            created.add(each.toCompletionStage()
                    .exceptionallyCompose(failure -> KafkaFaults.cause(failure) instanceof TopicExistsException
                            ? CompletableFuture.completedStage(null)
                            : CompletableFuture.failedStage(failure))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(created.toArray(CompletableFuture<?>[]::new));
    }

    /** Lists the next offsets and retries until the deadline, because a new partition may not have a leader yet. */
    private CompletionStage<List<Long>> ends(List<TopicPartition> partitions, Deadline deadline) {
        if (partitions.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        CompletableFuture<List<Long>> found = new CompletableFuture<>();
        offsets.ends(partitions)
                .whenCompleteAsync(
                        (ends, failure) -> {
                            if (failure == null) {
                                found.complete(ends);
                            } else if (deadline.isOver()) {
                                found.completeExceptionally(failure);
                            } else {
                                var _ = thread.schedule(
                                        () -> Stages.forward(ends(partitions, deadline), found),
                                        TopicCreation.RETRY_INTERVAL.toMillis(),
                                        TimeUnit.MILLISECONDS);
                            }
                        },
                        thread);
        return found;
    }
}

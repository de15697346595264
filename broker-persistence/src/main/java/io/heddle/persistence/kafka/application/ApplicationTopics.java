package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.Stages;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogProducer;
import io.heddle.persistence.kafka.read.LogOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates and deletes the topics of APPLICATION clients and deletes their acknowledged records. Any thread may call it. The thread {@code
 * heddle-application-topics} owns the state of the topics and never blocks: Kafka's client completes its answers there. Bounded by one
 * entry for each session, until its topic is deleted.
 */
final class ApplicationTopics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApplicationTopics.class);

    private static final Duration DELETION_RETRY_INTERVAL = Duration.ofSeconds(10);
    private static final Duration APPENDS_POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(2);

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationLogSettings limits;
    private final KafkaTopics topics;
    private final LogOffsets offsets;
    private final MembershipCheck membership;
    private final TopicDeletion deletion;
    private final TopicCreation creation;
    private final ApplicationMetrics metrics;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("heddle-application-topics").factory());

    private final OwnerThread owner = new OwnerThread();

    private final ConcurrentHashMap<ClientId, ApplicationTopic> byClient = new ConcurrentHashMap<>();
    // Also contains topics of sessions from before the start that no longer exist.
    private final ConcurrentHashMap<String, ApplicationTopic> byName = new ConcurrentHashMap<>();

    /**
     * @param life of this node
     * @param producer must have the metadata of a topic before a record is appended to it
     */
    ApplicationTopics(
            Admin admin,
            KafkaSettings settings,
            ApplicationLogSettings limits,
            NodeLife life,
            LogProducer producer,
            LongSupplier nanoTime,
            ApplicationMetrics metrics) {
        this.admin = admin;
        this.settings = settings;
        this.limits = limits;
        this.topics = new KafkaTopics(settings);
        this.offsets = new LogOffsets(admin);
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.membership = new MembershipCheck(life, thread, owner);
        this.deletion = new TopicDeletion(admin, producer, metrics, membership, thread, owner);
        this.creation =
                new TopicCreation(admin, settings, limits, producer, deletion, metrics, nanoTime, thread, owner);
        long truncateMillis = limits.keepAcknowledged().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::truncate, truncateMillis, truncateMillis, TimeUnit.MILLISECONDS);
        ApplicationGroup group = new ApplicationGroup(admin, settings, metrics, thread, owner, nanoTime);
        long commitMillis = COMMIT_INTERVAL.toMillis();
        var _ = thread.scheduleWithFixedDelay(
                () -> group.commit(byName.values()), commitMillis, commitMillis, TimeUnit.MILLISECONDS);
    }

    /** Returns the topic of a client, or null if it does not exist or is deleted. Any thread. */
    @Nullable
    ApplicationTopic find(ClientId clientId) {
        return byClient.get(clientId);
    }

    private ApplicationTopic topic(ClientId clientId) {
        owner.assertCurrent();
        ApplicationTopic topic =
                byName.computeIfAbsent(KafkaTopics.application(clientId), name -> new ApplicationTopic(name, owner));
        byClient.put(clientId, topic);
        return topic;
    }

    // Creation.

    /** Creates the topic of a session unless it exists. Completes with the topic's next offset when records can be appended. */
    CompletionStage<Long> create(ClientId clientId, long generation) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        thread.execute(() -> {
            ApplicationTopic topic = topic(clientId);
            topic.use(generation);
            Stages.forward(creation.create(clientId, topic), done);
        });
        return done;
    }

    // Deletion.

    /** Ends a session. Completes with the approximate number of records at or above an offset, 0 when Kafka does not report it. */
    CompletionStage<Long> end(ClientId clientId, long generation, long lowest) {
        ApplicationTopic topic = byClient.get(clientId);
        if (topic == null) {
            return CompletableFuture.completedStage(0L);
        }
        CompletableFuture<Long> remaining = new CompletableFuture<>();
        thread.execute(() -> {
            if (topic.generation() > generation || topic.isEnded()) {
                remaining.complete(0L);
                return;
            }
            deleteLater(topic, limits.deleteDelay());
            offsets.ends(List.of(topic.partition()))
                    .whenComplete((ends, failure) ->
                            remaining.complete(failure == null ? Math.max(0, ends.getFirst() - lowest) : 0));
        });
        return remaining;
    }

    private void deleteLater(ApplicationTopic topic, Duration delay) {
        topic.onSessionEnded(thread.schedule(() -> delete(topic), delay.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void delete(ApplicationTopic topic) {
        if (!topic.isEnded()) {
            return;
        }
        // Kafka's client would retry a record for a deleted topic for ever.
        if (topic.hasPendingAppends() || topic.isDeleting()) {
            deleteLater(topic, APPENDS_POLL_INTERVAL);
            return;
        }
        deletion.delete(topic).whenComplete((_, fault) -> onDeleted(topic, fault));
    }

    private void onDeleted(ApplicationTopic topic, @Nullable Throwable fault) {
        if (fault == null) {
            if (topic.isEnded()) {
                byName.remove(topic.name(), topic);
                byClient.values().remove(topic);
            }
        } else if (fault instanceof NodeOverException) {
            log.debug("Topic {} of an ended session is left to the node that took over", topic.name(), fault);
        } else {
            metrics.topicsFailed.increment();
            log.warn("Kafka did not delete topic {} of an ended session; retrying: {}", topic.name(), fault.toString());
            if (topic.isEnded()) {
                deleteLater(topic, DELETION_RETRY_INTERVAL);
            }
        }
    }

    /** Deletes acknowledged records, unless another node has taken over and may have replaced topics. */
    private void truncate() {
        membership.confirm().whenComplete((_, failure) -> {
            if (failure == null) {
                deleteAcknowledged();
            } else {
                log.debug("Acknowledged records of APPLICATION clients are not deleted in this run", failure);
            }
        });
    }

    /** Deletes the acknowledged records of all topics in one call. */
    private void deleteAcknowledged() {
        Map<TopicPartition, RecordsToDelete> acknowledged = new HashMap<>();
        List<ApplicationTopic> truncated = new ArrayList<>();
        for (ApplicationTopic topic : byName.values()) {
            long below = topic.nextDeletable();
            if (below >= 0 && !topic.isEnded()) {
                acknowledged.put(topic.partition(), RecordsToDelete.beforeOffset(below));
                truncated.add(topic);
                topic.setDeletedBelow(below);
            }
        }
        if (!acknowledged.isEmpty()) {
            admin.deleteRecords(acknowledged).all().toCompletionStage().whenComplete((_, failure) -> {
                if (failure != null) {
                    // The next truncation deletes them too.
                    log.debug("Kafka did not delete the acknowledged records of {} topics", truncated.size(), failure);
                }
            });
        }
    }

    // Start.

    /**
     * Restores the topics of these sessions, recreates missing ones, and schedules the deletion of all others. Blocks.
     *
     * @return the next offset of each topic
     * @throws StoreUnavailableException when Kafka does not answer
     */
    Map<ClientId, Long> restore(Map<ClientId, Long> generations) {
        try {
            CompletableFuture<Map<ClientId, Long>> restored = new CompletableFuture<>();
            Set<String> found =
                    admin.listTopics().names().get(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
            thread.execute(() -> restore(generations, found, restored));
            return restored.get(2 * settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new StoreUnavailableException("Kafka did not list the topics of APPLICATION clients", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the restore of the topics of APPLICATION clients was interrupted", e);
        }
    }

    private void restore(
            Map<ClientId, Long> generations, Set<String> found, CompletableFuture<Map<ClientId, Long>> restored) {
        List<NewTopic> missing = new ArrayList<>();
        List<ClientId> clients = List.copyOf(generations.keySet());
        for (ClientId clientId : clients) {
            ApplicationTopic topic = topic(clientId);
            topic.use(generations.getOrDefault(clientId, 0L));
            topic.setReusable(true);
            if (!found.contains(topic.name())) {
                log.error(
                        "Topic {} is missing in Kafka at {} and is recreated; its undelivered messages are lost: clientId={}",
                        topic.name(),
                        settings.bootstrapServers(),
                        clientId);
                missing.add(topics.application(topic.name(), limits));
            }
        }
        deleteOrphans(found);
        List<TopicPartition> partitions =
                clients.stream().map(clientId -> topic(clientId).partition()).toList();
        CompletionStage<Void> created = missing.isEmpty()
                ? CompletableFuture.completedStage(null)
                : admin.createTopics(missing).all().toCompletionStage();
        created.thenComposeAsync(_ -> ends(partitions, Deadline.in(TopicCreation.TIMEOUT, nanoTime)), thread)
                .whenComplete((ends, failure) -> {
                    if (failure != null) {
                        restored.completeExceptionally(failure);
                        return;
                    }
                    Map<ClientId, Long> endOfClient = new HashMap<>();
                    for (int i = 0; i < clients.size(); i++) {
                        endOfClient.put(clients.get(i), ends.get(i));
                    }
                    restored.complete(endOfClient);
                });
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
                                later(
                                        TopicCreation.RETRY_INTERVAL,
                                        () -> ends(partitions, deadline).whenComplete((retried, fault) -> {
                                            if (fault == null) {
                                                found.complete(retried);
                                            } else {
                                                found.completeExceptionally(fault);
                                            }
                                        }));
                            }
                        },
                        thread);
        return found;
    }

    private void deleteOrphans(Set<String> found) {
        int orphans = 0;
        for (String name : found) {
            if (KafkaTopics.isApplicationTopic(name) && !byName.containsKey(name)) {
                ApplicationTopic topic = new ApplicationTopic(name, owner);
                byName.put(name, topic);
                deleteLater(topic, limits.deleteDelay());
                orphans++;
            }
        }
        if (orphans > 0) {
            log.info(
                    "Found {} topics of ended APPLICATION sessions; they are deleted after heddle.applications.delete-delay",
                    orphans);
        }
    }

    private void later(Duration delay, Runnable task) {
        var _ = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops. The next start finds the topics whose deletion is still scheduled. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
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

    private static final Duration CREATION_TIMEOUT = Duration.ofSeconds(8);
    private static final Duration CREATION_RETRY_INTERVAL = Duration.ofMillis(100);
    private static final Duration METADATA_POLL_INTERVAL = Duration.ofMillis(10);
    private static final Duration DELETION_RETRY_INTERVAL = Duration.ofSeconds(10);
    private static final Duration APPENDS_POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration COMMIT_INTERVAL = Duration.ofSeconds(2);

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationLogSettings limits;
    private final KafkaTopics topics;
    private final LogOffsets offsets;
    private final LogProducer producer;
    private final ApplicationMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("heddle-application-topics").factory());

    private final OwnerThread owner = new OwnerThread();

    private final ConcurrentHashMap<ClientId, ApplicationTopic> byClient = new ConcurrentHashMap<>();
    // Also contains topics of sessions from before the start that no longer exist.
    private final ConcurrentHashMap<String, ApplicationTopic> byName = new ConcurrentHashMap<>();

    /** @param producer must have the metadata of a topic before a record is appended to it */
    ApplicationTopics(
            Admin admin,
            KafkaSettings settings,
            ApplicationLogSettings limits,
            LogProducer producer,
            ApplicationMetrics metrics) {
        this.admin = admin;
        this.settings = settings;
        this.limits = limits;
        this.topics = new KafkaTopics(settings);
        this.offsets = new LogOffsets(admin);
        this.producer = producer;
        this.metrics = metrics;
        long truncateMillis = limits.keepAcknowledged().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::truncate, truncateMillis, truncateMillis, TimeUnit.MILLISECONDS);
        ApplicationGroup group = new ApplicationGroup(admin, settings, metrics, thread, owner, System::nanoTime);
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
            create(clientId, topic, Deadline.in(CREATION_TIMEOUT), done);
        });
        return done;
    }

    private void create(ClientId clientId, ApplicationTopic topic, Deadline deadline, CompletableFuture<Long> done) {
        if (topic.isDeleting()) {
            retryOrFail(clientId, topic, deadline, done, new TopicExistsException("it is being deleted"));
            return;
        }
        admin.createTopics(List.of(topics.application(topic.name(), limits)))
                .all()
                .toCompletionStage()
                .whenCompleteAsync(
                        (_, failure) -> {
                            Throwable fault = failure == null ? null : cause(failure);
                            if (fault == null) {
                                metrics.topicsCreated.increment();
                                log.debug("clientId={}: created topic {}", clientId, topic.name());
                            }
                            if (fault == null || fault instanceof TopicExistsException) {
                                awaitMetadata(clientId, topic, deadline, done);
                            } else {
                                retryOrFail(clientId, topic, deadline, done, fault);
                            }
                        },
                        thread);
    }

    private void retryOrFail(
            ClientId clientId,
            ApplicationTopic topic,
            Deadline deadline,
            CompletableFuture<Long> done,
            Throwable fault) {
        boolean isTransient = fault instanceof RetriableException || fault instanceof TopicExistsException;
        if (isTransient && !deadline.isOver()) {
            later(CREATION_RETRY_INTERVAL, () -> create(clientId, topic, deadline, done));
        } else {
            fail(clientId, topic, fault, done);
        }
    }

    private void awaitMetadata(
            ClientId clientId, ApplicationTopic topic, Deadline deadline, CompletableFuture<Long> done) {
        try {
            if (producer.hasMetadata(topic.name())) {
                offsets.ends(List.of(topic.partition()))
                        .whenCompleteAsync(
                                (ends, failure) -> {
                                    if (failure == null) {
                                        done.complete(ends.getFirst());
                                    } else if (!deadline.isOver()) {
                                        // The new partition may not have a leader yet.
                                        later(
                                                METADATA_POLL_INTERVAL,
                                                () -> awaitMetadata(clientId, topic, deadline, done));
                                    } else {
                                        fail(clientId, topic, cause(failure), done);
                                    }
                                },
                                thread);
            } else if (deadline.isOver()) {
                fail(clientId, topic, new TimeoutException("Kafka does not report its metadata"), done);
            } else {
                later(METADATA_POLL_INTERVAL, () -> awaitMetadata(clientId, topic, deadline, done));
            }
        } catch (KafkaException e) {
            fail(clientId, topic, e, done);
        }
    }

    private void fail(ClientId clientId, ApplicationTopic topic, Throwable fault, CompletableFuture<Long> done) {
        metrics.topicsFailed.increment();
        String sentence = "Kafka at " + settings.bootstrapServers() + " did not create topic " + topic.name()
                + ", so the persistent session of APPLICATION client " + clientId + " is refused ("
                + fault.getMessage()
                + "): check Kafka's log, and that Heddle's account may create topics with the prefix "
                + KafkaTopics.APPLICATION_PREFIX;
        log.warn(sentence);
        done.completeExceptionally(new StoreUnavailableException(sentence, fault));
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
        if (topic.hasPendingAppends()) {
            // Kafka's client would retry a record for a deleted topic for ever.
            deleteLater(topic, APPENDS_POLL_INTERVAL);
            return;
        }
        topic.setDeleting(true);
        admin.deleteTopics(List.of(topic.name()))
                .all()
                .toCompletionStage()
                .whenCompleteAsync((_, failure) -> onDeleted(topic, failure == null ? null : cause(failure)), thread);
    }

    private void onDeleted(ApplicationTopic topic, @Nullable Throwable fault) {
        topic.setDeleting(false);
        if (fault == null || fault instanceof UnknownTopicOrPartitionException) {
            metrics.topicsDeleted.increment();
            producer.forget(topic.partition());
            if (topic.isEnded()) {
                byName.remove(topic.name(), topic);
                byClient.values().remove(topic);
            }
        } else {
            metrics.topicsFailed.increment();
            log.warn("Kafka did not delete topic {} of an ended session; retrying: {}", topic.name(), fault.toString());
            if (topic.isEnded()) {
                deleteLater(topic, DELETION_RETRY_INTERVAL);
            }
        }
    }

    /** Deletes the acknowledged records of all topics in one call. */
    private void truncate() {
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
        created.thenComposeAsync(_ -> ends(partitions, Deadline.in(CREATION_TIMEOUT)), thread)
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
                                        CREATION_RETRY_INTERVAL,
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

    static Throwable cause(Throwable failure) {
        return (failure instanceof CompletionException || failure instanceof StoreUnavailableException)
                        && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /** Stops. The next start finds the topics whose deletion is still scheduled. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

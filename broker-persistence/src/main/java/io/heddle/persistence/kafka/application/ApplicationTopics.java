package io.heddle.persistence.kafka.application;

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
 * Makes and deletes the topics of APPLICATION clients, and deletes from them what is acknowledged. Any thread asks; the thread {@code
 * heddle-application-topics} owns what is known of each, and waits for nothing: Kafka's client answers there. Bound: one entry for each
 * session that there is, or was until its topic is deleted.
 */
final class ApplicationTopics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApplicationTopics.class);

    private static final Duration CREATION_LIMIT = Duration.ofSeconds(8);
    private static final Duration CREATION_PAUSE = Duration.ofMillis(100);
    private static final Duration METADATA_PAUSE = Duration.ofMillis(10);
    private static final Duration DELETION_PAUSE = Duration.ofSeconds(10);
    private static final Duration APPENDS_PAUSE = Duration.ofSeconds(1);
    private static final Duration TELLING = Duration.ofSeconds(2);

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationLogSettings limits;
    private final KafkaTopics topics;
    private final LogOffsets offsets;
    private final LogProducer producer;
    private final ApplicationMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("heddle-application-topics").factory());

    private final ConcurrentHashMap<ClientId, ApplicationTopic> byClient = new ConcurrentHashMap<>();
    // Also what is left of sessions that nobody remembers.
    private final ConcurrentHashMap<String, ApplicationTopic> byName = new ConcurrentHashMap<>();

    /** @param producer is to know each topic before anything is appended to it */
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
        long trimming = limits.keepAcknowledged().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::trim, trimming, trimming, TimeUnit.MILLISECONDS);
        ApplicationGroup group = new ApplicationGroup(admin, settings, metrics, thread);
        long telling = TELLING.toMillis();
        var _ = thread.scheduleWithFixedDelay(
                () -> group.tell(byName.values()), telling, telling, TimeUnit.MILLISECONDS);
    }

    /** The topic of a client that has, or had a moment ago, a session; or null. */
    @Nullable
    ApplicationTopic find(ClientId clientId) {
        return byClient.get(clientId);
    }

    private ApplicationTopic topic(ClientId clientId) {
        ApplicationTopic topic = byName.computeIfAbsent(KafkaTopics.application(clientId), ApplicationTopic::new);
        byClient.put(clientId, topic);
        return topic;
    }

    // Creation.

    /** Makes the topic of a session, unless it is there. Completes with its end when records can be appended. */
    CompletionStage<Long> create(ClientId clientId, long generation) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        thread.execute(() -> {
            ApplicationTopic topic = topic(clientId);
            topic.wantedBy(generation);
            create(clientId, topic, Deadline.in(CREATION_LIMIT), done);
        });
        return done;
    }

    private void create(ClientId clientId, ApplicationTopic topic, Deadline deadline, CompletableFuture<Long> done) {
        if (topic.isDeleting()) {
            again(clientId, topic, deadline, done, new TopicExistsException("it is being deleted"));
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
                                learn(clientId, topic, deadline, done);
                            } else {
                                again(clientId, topic, deadline, done, fault);
                            }
                        },
                        thread);
    }

    private void again(
            ClientId clientId,
            ApplicationTopic topic,
            Deadline deadline,
            CompletableFuture<Long> done,
            Throwable fault) {
        boolean passes = fault instanceof RetriableException || fault instanceof TopicExistsException;
        if (passes && !deadline.isOver()) {
            later(CREATION_PAUSE, () -> create(clientId, topic, deadline, done));
        } else {
            failed(clientId, topic, fault, done);
        }
    }

    private void learn(ClientId clientId, ApplicationTopic topic, Deadline deadline, CompletableFuture<Long> done) {
        try {
            if (producer.knows(topic.name())) {
                offsets.ends(List.of(topic.partition()))
                        .whenCompleteAsync(
                                (ends, failure) -> {
                                    if (failure == null) {
                                        done.complete(ends.getFirst());
                                    } else if (!deadline.isOver()) {
                                        // Its leader may be about to be found.
                                        later(METADATA_PAUSE, () -> learn(clientId, topic, deadline, done));
                                    } else {
                                        failed(clientId, topic, cause(failure), done);
                                    }
                                },
                                thread);
            } else if (deadline.isOver()) {
                failed(clientId, topic, new TimeoutException("Kafka does not say where it is"), done);
            } else {
                later(METADATA_PAUSE, () -> learn(clientId, topic, deadline, done));
            }
        } catch (KafkaException e) {
            failed(clientId, topic, e, done);
        }
    }

    private void failed(ClientId clientId, ApplicationTopic topic, Throwable fault, CompletableFuture<Long> done) {
        metrics.topicsFailed.increment();
        String sentence = "Kafka at " + settings.bootstrapServers() + " did not create topic " + topic.name()
                + " for the messages of application " + clientId + " (" + fault.getMessage()
                + "), so its persistent session is refused: see Kafka's log, and that Heddle's account may create topics with"
                + " the prefix " + KafkaTopics.APPLICATION_PREFIX;
        log.warn(sentence);
        done.completeExceptionally(new StoreUnavailableException(sentence, fault));
    }

    // Deletion.

    /** A session is over. Completes with about how many records stand at or above an offset, 0 when that is not known. */
    CompletionStage<Long> end(ClientId clientId, long generation, long lowest) {
        ApplicationTopic topic = byClient.get(clientId);
        if (topic == null) {
            return CompletableFuture.completedStage(0L);
        }
        CompletableFuture<Long> left = new CompletableFuture<>();
        thread.execute(() -> {
            if (topic.generation() > generation || topic.isEnded()) {
                left.complete(0L);
                return;
            }
            deleteLater(topic, limits.deleteDelay());
            offsets.ends(List.of(topic.partition()))
                    .whenComplete((ends, failure) ->
                            left.complete(failure == null ? Math.max(0, ends.getFirst() - lowest) : 0));
        });
        return left;
    }

    private void deleteLater(ApplicationTopic topic, Duration delay) {
        topic.ended(thread.schedule(() -> delete(topic), delay.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void delete(ApplicationTopic topic) {
        if (!topic.isEnded()) {
            return;
        }
        if (topic.isAppendedTo()) {
            // A record of a topic that is gone would wait in Kafka's client for ever.
            deleteLater(topic, APPENDS_PAUSE);
            return;
        }
        topic.deleting(true);
        admin.deleteTopics(List.of(topic.name()))
                .all()
                .toCompletionStage()
                .whenCompleteAsync((_, failure) -> deleted(topic, failure == null ? null : cause(failure)), thread);
    }

    private void deleted(ApplicationTopic topic, @Nullable Throwable fault) {
        topic.deleting(false);
        if (fault == null || fault instanceof UnknownTopicOrPartitionException) {
            metrics.topicsDeleted.increment();
            producer.forget(topic.partition());
            if (topic.isEnded()) {
                byName.remove(topic.name(), topic);
                byClient.values().remove(topic);
            }
        } else {
            metrics.topicsFailed.increment();
            log.warn(
                    "Topic {} of an ended session was not deleted and is tried again: {}",
                    topic.name(),
                    fault.toString());
            if (topic.isEnded()) {
                deleteLater(topic, DELETION_PAUSE);
            }
        }
    }

    /** Deletes what is acknowledged, of all topics in one call. */
    private void trim() {
        Map<TopicPartition, RecordsToDelete> acknowledged = new HashMap<>();
        List<ApplicationTopic> trimmed = new ArrayList<>();
        for (ApplicationTopic topic : byName.values()) {
            long below = topic.deletable();
            if (below >= 0 && !topic.isEnded()) {
                acknowledged.put(topic.partition(), RecordsToDelete.beforeOffset(below));
                trimmed.add(topic);
                topic.deletedBelow(below);
            }
        }
        if (!acknowledged.isEmpty()) {
            admin.deleteRecords(acknowledged).all().toCompletionStage().whenComplete((_, failure) -> {
                if (failure != null) {
                    // They go with what is acknowledged next.
                    log.debug("Acknowledged records of {} topics were not deleted", trimmed.size(), failure);
                }
            });
        }
    }

    // Start.

    /**
     * The topics of these sessions, those that are missing made anew; others are deleted some time later. Blocks.
     *
     * @return where each ends
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
            throw new StoreUnavailableException("Kafka did not say which topics of applications there are", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("The start was interrupted", e);
        }
    }

    private void restore(
            Map<ClientId, Long> generations, Set<String> found, CompletableFuture<Map<ClientId, Long>> restored) {
        List<NewTopic> missing = new ArrayList<>();
        List<ClientId> clients = List.copyOf(generations.keySet());
        for (ClientId clientId : clients) {
            ApplicationTopic topic = topic(clientId);
            topic.wantedBy(generations.getOrDefault(clientId, 0L));
            if (!found.contains(topic.name())) {
                log.error(
                        "Topic {} of application {} is not in Kafka at {} and is made anew: what waited for it is lost",
                        topic.name(),
                        clientId,
                        settings.bootstrapServers());
                missing.add(topics.application(topic.name(), limits));
            }
        }
        deleteLeftOvers(found);
        List<TopicPartition> partitions =
                clients.stream().map(clientId -> topic(clientId).partition()).toList();
        CompletionStage<Void> made = missing.isEmpty()
                ? CompletableFuture.completedStage(null)
                : admin.createTopics(missing).all().toCompletionStage();
        made.thenComposeAsync(_ -> ends(partitions, Deadline.in(CREATION_LIMIT)), thread)
                .whenComplete((ends, failure) -> {
                    if (failure != null) {
                        restored.completeExceptionally(failure);
                        return;
                    }
                    Map<ClientId, Long> byEnd = new HashMap<>();
                    for (int i = 0; i < clients.size(); i++) {
                        byEnd.put(clients.get(i), ends.get(i));
                    }
                    restored.complete(byEnd);
                });
    }

    /** What was just made may have no leader for a moment. */
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
                                        CREATION_PAUSE,
                                        () -> ends(partitions, deadline).whenComplete((late, fault) -> {
                                            if (fault == null) {
                                                found.complete(late);
                                            } else {
                                                found.completeExceptionally(fault);
                                            }
                                        }));
                            }
                        },
                        thread);
        return found;
    }

    private void deleteLeftOvers(Set<String> found) {
        int leftOver = 0;
        for (String name : found) {
            if (KafkaTopics.isApplicationTopic(name) && !byName.containsKey(name)) {
                ApplicationTopic topic = new ApplicationTopic(name);
                byName.put(name, topic);
                deleteLater(topic, limits.deleteDelay());
                leftOver++;
            }
        }
        if (leftOver > 0) {
            log.info("{} topics of applications are left of ended sessions and will be deleted", leftOver);
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

    /** Forgets what was to be deleted: the next start finds it. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

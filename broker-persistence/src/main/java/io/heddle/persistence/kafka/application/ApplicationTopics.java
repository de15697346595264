package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.Stages;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.persistence.kafka.ApplicationLogSettings;
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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
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
    private final ApplicationLogSettings limits;
    private final LogOffsets offsets;
    private final MembershipCheck membership;
    private final TopicDeletion deletion;
    private final TopicCreation creation;
    private final LogProducer producer;
    private final ApplicationMetrics metrics;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("heddle-application-topics").factory());

    private final OwnerThread owner = new OwnerThread();

    private final TakenBuckets held;
    private final TopicNames listing;
    private final TopicOpening opening;
    private CompletionStage<Void> truncation = CompletableFuture.completedStage(null);

    private final ConcurrentHashMap<ClientId, ApplicationTopic> byClient = new ConcurrentHashMap<>();
    // Also contains topics of earlier sessions that no longer exist.
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
        this.limits = limits;
        this.offsets = new LogOffsets(admin);
        this.producer = producer;
        this.metrics = metrics;
        this.membership = new MembershipCheck(life, thread, owner);
        this.held = new TakenBuckets(settings.bucketCount(), owner);
        this.listing = new TopicNames(admin, thread, owner);
        this.opening = new TopicOpening(admin, settings, limits, offsets, nanoTime, thread, owner);
        this.deletion = new TopicDeletion(admin, producer, metrics, membership, held, thread, owner);
        this.creation =
                new TopicCreation(admin, settings, limits, producer, deletion, metrics, nanoTime, thread, owner);
        long truncateMillis = limits.keepAcknowledged().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::truncate, truncateMillis, truncateMillis, TimeUnit.MILLISECONDS);
        ApplicationGroup group = new ApplicationGroup(admin, settings, metrics, thread, owner, nanoTime);
        long commitMillis = COMMIT_INTERVAL.toMillis();
        var _ = thread.scheduleWithFixedDelay(
                () -> group.commit(byName.values()), commitMillis, commitMillis, TimeUnit.MILLISECONDS);
    }

    /** Returns the topic of a client, or null if this node has not used it. Any thread. */
    @Nullable
    ApplicationTopic find(ClientId clientId) {
        return byClient.get(clientId);
    }

    /** Returns the topic of a client, which another node may have created. Any thread. */
    ApplicationTopic topic(ClientId clientId) {
        ApplicationTopic known = byClient.get(clientId);
        if (known != null) {
            return known;
        }
        String name = KafkaTopics.application(clientId);
        ApplicationTopic topic = byName.computeIfAbsent(name, _ -> new ApplicationTopic(name, owner));
        topic.bucket(held.bucket(clientId));
        ApplicationTopic other = byClient.putIfAbsent(clientId, topic);
        return other == null ? topic : other;
    }

    /** Counts an append to the topic of a client. Any thread. */
    void onAppendStarted(ClientId clientId) {
        ApplicationTopic topic = topic(clientId);
        while (!topic.tryStartAppend()) {
            remove(topic);
            topic = topic(clientId);
        }
    }

    private void remove(ApplicationTopic topic) {
        byClient.values().remove(topic);
        byName.remove(topic.name(), topic);
    }

    // Creation.

    /** Creates the topic of a session unless it exists. Completes with the topic's next offset when records can be appended. */
    CompletionStage<Long> create(ClientId clientId, long generation) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        thread.execute(() -> {
            ApplicationTopic topic = topic(clientId);
            if (!held.contains(topic)) {
                done.completeExceptionally(
                        new StoreUnavailableException("another node decides about client " + clientId, null));
                return;
            }
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
            if (topic.generation() > generation || topic.isEnded() || topic.isForeign()) {
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
            if (topic.isEnded() && topic.retire()) {
                remove(topic);
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
            truncation = admin.deleteRecords(acknowledged).all().toCompletionStage();
            truncation.whenComplete((_, failure) -> {
                if (failure != null) {
                    // The next truncation deletes them too.
                    log.debug("Kafka did not delete the acknowledged records of {} topics", truncated.size(), failure);
                }
            });
        }
    }

    // The clients about which this node decides.

    private Map<ClientId, ApplicationTopic> use(Map<ClientId, Long> generations) {
        Map<ClientId, ApplicationTopic> used = new HashMap<>();
        generations.forEach((clientId, generation) -> {
            ApplicationTopic topic = topic(clientId);
            topic.use(generation);
            topic.setReusable(true);
            used.put(clientId, topic);
        });
        return used;
    }

    /**
     * Restores the topics of the sessions of one bucket, recreates missing ones, and schedules the deletion of those without a session. May be
     * repeated.
     *
     * @return the next offset of each topic; fails with {@link StoreUnavailableException}
     */
    CompletionStage<Map<ClientId, Long>> take(int bucket, Map<ClientId, Long> generations) {
        CompletableFuture<Map<ClientId, Long>> taken = new CompletableFuture<>();
        thread.execute(() -> {
            held.take(bucket);
            Map<ClientId, ApplicationTopic> used = use(generations);
            findOrphans();
            if (used.isEmpty()) {
                taken.complete(Map.of());
            } else {
                Stages.forward(listing.list().thenCompose(found -> opening.open(used, found)), taken);
            }
        });
        return taken;
    }

    /** Completes when this node decides no more about the topics of a bucket. */
    CompletionStage<Void> release(int bucket) {
        CompletableFuture<Void> released = new CompletableFuture<>();
        thread.execute(() -> {
            held.release(bucket);
            for (ApplicationTopic topic : byName.values()) {
                if (!held.contains(topic)) {
                    topic.giveUp();
                }
            }
            // It names no topic by its id, and the next node may replace topics.
            truncation.whenComplete((_, _) -> released.complete(null));
        });
        return released;
    }

    /** Deletes no records of a session before it reports acknowledgements again. Completes when no deletion is on its way. */
    CompletionStage<Void> keep(ClientId clientId, long generation) {
        CompletableFuture<Void> kept = new CompletableFuture<>();
        thread.execute(() -> {
            topic(clientId).keep(generation);
            truncation.whenComplete((_, _) -> kept.complete(null));
        });
        return kept;
    }

    private void findOrphans() {
        listing.list().whenComplete((found, failure) -> {
            if (failure == null) {
                deleteOrphans(found);
            } else {
                log.debug("Kafka did not list the topics of ended APPLICATION sessions; retrying", failure);
                var _ = thread.schedule(this::findOrphans, DELETION_RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            }
        });
    }

    private void deleteOrphans(Set<String> found) {
        int orphans = 0;
        for (String name : found) {
            ApplicationTopic topic = KafkaTopics.isApplicationTopic(name) ? found(name) : null;
            if (topic != null && topic.isForeign() && held.contains(topic)) {
                ApplicationTopic appended = byName.putIfAbsent(name, topic);
                deleteLater(appended == null ? topic : appended, limits.deleteDelay());
                orphans++;
            }
        }
        if (orphans > 0) {
            log.info(
                    "Found {} topics of ended APPLICATION sessions; they are deleted after"
                            + " heddle.applications.delete-delay",
                    orphans);
        }
    }

    private ApplicationTopic found(String name) {
        ApplicationTopic topic = byName.get(name);
        if (topic == null) {
            topic = new ApplicationTopic(name, owner);
            ClientId clientId = KafkaTopics.applicationClient(name);
            if (clientId != null) {
                topic.bucket(held.bucket(clientId));
            }
        }
        return topic;
    }

    /** Another node has ended a session. Its topic is not remembered, unless this node appends to it. */
    void forget(ClientId clientId) {
        thread.execute(() -> {
            ApplicationTopic topic = byClient.get(clientId);
            if (topic != null && topic.isForeign() && !held.contains(topic) && topic.retire()) {
                remove(topic);
                producer.forget(topic.partition());
            }
        });
    }

    /** Stops. The next start finds the topics whose deletion is still scheduled. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

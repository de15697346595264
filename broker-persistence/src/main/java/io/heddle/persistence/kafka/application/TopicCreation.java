package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.Deadline;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogProducer;
import io.heddle.persistence.kafka.read.LogOffsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics of beginning sessions. A topic that exists already is used only if it is {@linkplain ApplicationTopic#isReusable
 * reusable}; otherwise it is deleted and created again. Owned by the thread of {@link ApplicationTopics}.
 *
 * <p>States of a request: creating ⇄ deleting another topic of the same name → waiting for metadata → answered. A request fails after eight
 * seconds, and when its session has ended.
 */
final class TopicCreation {
    private static final Logger log = LoggerFactory.getLogger(TopicCreation.class);

    static final Duration TIMEOUT = Duration.ofSeconds(8);
    static final Duration RETRY_INTERVAL = Duration.ofMillis(100);
    private static final Duration METADATA_POLL_INTERVAL = Duration.ofMillis(10);

    private final Admin admin;
    private final KafkaSettings settings;
    private final ApplicationLogSettings limits;
    private final KafkaTopics topics;
    private final LogOffsets offsets;
    private final LogProducer producer;
    private final TopicDeletion deletion;
    private final ApplicationMetrics metrics;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final OwnerThread owner;

    private record Request(
            ClientId clientId,
            ApplicationTopic topic,
            long generation,
            Deadline deadline,
            CompletableFuture<Long> done) {
        boolean isOutdated() {
            return topic.isEnded() || topic.generation() != generation;
        }
    }

    /**
     * @param producer must have the metadata of a topic before a record is appended to it
     * @param thread the owning thread
     */
    TopicCreation(
            Admin admin,
            KafkaSettings settings,
            ApplicationLogSettings limits,
            LogProducer producer,
            TopicDeletion deletion,
            ApplicationMetrics metrics,
            LongSupplier nanoTime,
            ScheduledExecutorService thread,
            OwnerThread owner) {
        this.admin = admin;
        this.settings = settings;
        this.limits = limits;
        this.topics = new KafkaTopics(settings);
        this.offsets = new LogOffsets(admin);
        this.producer = producer;
        this.deletion = deletion;
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.thread = thread;
        this.owner = owner;
    }

    /** Creates the topic of a session that uses it. Completes with the topic's next offset when records can be appended. */
    CompletionStage<Long> create(ClientId clientId, ApplicationTopic topic) {
        owner.assertCurrent();
        Request request = new Request(
                clientId, topic, topic.generation(), Deadline.in(TIMEOUT, nanoTime), new CompletableFuture<>());
        create(request);
        return request.done();
    }

    private void create(Request request) {
        if (request.isOutdated()) {
            abandon(request);
        } else if (request.topic().isDeleting()) {
            retryOrFail(request, new TopicExistsException("it is being deleted"));
        } else {
            admin.createTopics(List.of(topics.application(request.topic().name(), limits)))
                    .all()
                    .toCompletionStage()
                    .whenCompleteAsync(
                            (_, failure) -> onAnswer(request, failure == null ? null : KafkaFaults.cause(failure)),
                            thread);
        }
    }

    private void onAnswer(Request request, @Nullable Throwable fault) {
        ApplicationTopic topic = request.topic();
        if (request.isOutdated()) {
            abandon(request);
        } else if (fault == null) {
            metrics.topicsCreated.increment();
            log.debug("clientId={}: created topic {}", request.clientId(), topic.name());
            topic.setReusable(true);
            awaitMetadata(request);
        } else if (fault instanceof TopicExistsException && topic.isReusable()) {
            awaitMetadata(request);
        } else if (fault instanceof TopicExistsException && !topic.isDeleting()) {
            replace(request);
        } else {
            retryOrFail(request, fault);
        }
    }

    /** Deletes a topic that is left over from an earlier life of the cluster, whose deletion of it may still be on its way. */
    private void replace(Request request) {
        deletion.delete(request.topic()).whenComplete((_, failure) -> {
            Throwable fault = failure == null
                    ? new TopicExistsException("Kafka still reports the topic of an ended session")
                    : failure;
            retryOrFail(request, fault);
        });
    }

    private void retryOrFail(Request request, Throwable fault) {
        boolean isTransient = fault instanceof RetriableException
                || fault instanceof TopicExistsException
                || fault instanceof StoreUnavailableException;
        if (isTransient && !request.deadline().isOver()) {
            later(RETRY_INTERVAL, () -> create(request));
        } else {
            fail(request, fault);
        }
    }

    private void awaitMetadata(Request request) {
        try {
            ApplicationTopic topic = request.topic();
            if (producer.hasMetadata(topic.name())) {
                offsets.ends(List.of(topic.partition()))
                        .whenCompleteAsync(
                                (ends, failure) -> {
                                    if (failure == null) {
                                        request.done().complete(ends.getFirst());
                                    } else if (!request.deadline().isOver()) {
                                        // The new partition may not have a leader yet.
                                        later(METADATA_POLL_INTERVAL, () -> awaitMetadata(request));
                                    } else {
                                        fail(request, KafkaFaults.cause(failure));
                                    }
                                },
                                thread);
            } else if (request.deadline().isOver()) {
                fail(request, new TimeoutException("Kafka does not report its metadata"));
            } else {
                later(METADATA_POLL_INTERVAL, () -> awaitMetadata(request));
            }
        } catch (KafkaException e) {
            fail(request, e);
        }
    }

    private static void abandon(Request request) {
        request.done()
                .completeExceptionally(new StoreUnavailableException(
                        "the session of APPLICATION client " + request.clientId() + " has ended", null));
    }

    private void fail(Request request, Throwable fault) {
        metrics.topicsFailed.increment();
        String sentence = "Kafka at " + settings.bootstrapServers() + " did not create topic "
                + request.topic().name() + ", so the persistent session of APPLICATION client " + request.clientId()
                + " is refused (" + fault.getMessage()
                + "): check Kafka's log, and that Heddle's account may create and delete topics with the prefix "
                + KafkaTopics.APPLICATION_PREFIX;
        log.warn(sentence);
        request.done().completeExceptionally(StoreUnavailableException.kafka(sentence, fault));
    }

    private void later(Duration delay, Runnable task) {
        var _ = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}

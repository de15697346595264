package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.persistence.kafka.KafkaFaults;
import io.heddle.persistence.kafka.append.LogProducer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Deletes topics of ended sessions by their ids, so that a node that was frozen and replaced deletes no topic of the node that took over.
 *
 * <p>Each deletion takes three steps in this order: find the topic's id, {@linkplain MembershipCheck check} that this node is still a member
 * and decides about the client, delete this id. So the id is older than the next holding of the client's bucket by any node. No later holder
 * uses it for a session: a topic that a node finds without a session is replaced, never reused. Owned by the thread of {@link ApplicationTopics}.
 */
final class TopicDeletion {
    private final Admin admin;
    private final LogProducer producer;
    private final ApplicationMetrics metrics;
    private final MembershipCheck membership;
    private final TakenBuckets held;
    private final Executor thread;
    private final OwnerThread owner;

    /**
     * @param thread executes tasks on the owning thread
     * @param owner the owning thread
     */
    TopicDeletion(
            Admin admin,
            LogProducer producer,
            ApplicationMetrics metrics,
            MembershipCheck membership,
            TakenBuckets held,
            Executor thread,
            OwnerThread owner) {
        this.admin = admin;
        this.producer = producer;
        this.metrics = metrics;
        this.membership = membership;
        this.held = held;
        this.thread = thread;
        this.owner = owner;
    }

    /**
     * Deletes a topic. Completes on the owning thread when Kafka has deleted it, or when it did not exist. Fails with {@link
     * io.heddle.core.cluster.NodeOverException} if another node decides about the client.
     */
    CompletionStage<Void> delete(ApplicationTopic topic) {
        owner.assertCurrent();
        topic.setDeleting(true);
        // The request may reach Kafka after its answer was given up, so no session may use the topic from now on.
        topic.setReusable(false);
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        find(topic.name())
                .thenComposeAsync(id -> membership.confirm().thenApply(_ -> id), thread)
                .thenComposeAsync(id -> delete(topic, id), thread)
                .whenCompleteAsync((_, failure) -> onAnswer(topic, failure, deleted), thread);
        return deleted;
    }

    private CompletionStage<Uuid> find(String name) {
        return Objects.requireNonNull(
                        admin.describeTopics(List.of(name)).topicNameValues().get(name))
                .toCompletionStage()
                .thenApply(TopicDescription::topicId);
    }

    private CompletionStage<Void> delete(ApplicationTopic topic, Uuid id) {
        if (!held.contains(topic)) {
            return CompletableFuture.failedStage(
                    new NodeOverException("another node decides about the client of " + topic.name()));
        }
        return admin.deleteTopics(TopicCollection.ofTopicIds(List.of(id))).all().toCompletionStage();
    }

    private void onAnswer(ApplicationTopic topic, @Nullable Throwable failure, CompletableFuture<Void> deleted) {
        topic.setDeleting(false);
        Throwable fault = failure == null ? null : KafkaFaults.cause(failure);
        if (fault == null
                || fault instanceof UnknownTopicOrPartitionException
                || fault instanceof UnknownTopicIdException) {
            metrics.topicsDeleted.increment();
            producer.forget(topic.partition());
            deleted.complete(null);
        } else {
            deleted.completeExceptionally(fault);
        }
    }
}

package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.NodeLife;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.persistence.kafka.KafkaFaults;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log of nodes before this node deletes anything in Kafka. Owned by the thread of {@link ApplicationTopics}; a virtual thread waits
 * for the log. One check runs at a time, and the next one serves all callers that wait for it.
 */
final class MembershipCheck {
    private static final Executor WAITING =
            task -> Thread.ofVirtual().name("heddle-membership-check").start(task);

    private final NodeLife life;
    private final Executor thread;
    private final OwnerThread owner;
    private @Nullable CompletableFuture<Void> next;
    private boolean running;

    /**
     * @param thread executes tasks on the owning thread
     * @param owner the owning thread
     */
    MembershipCheck(NodeLife life, Executor thread, OwnerThread owner) {
        this.life = life;
        this.thread = thread;
        this.owner = owner;
    }

    /**
     * Completes on the owning thread if this node was still a member after this call. Fails with {@link NodeOverException} if it was not, or
     * with {@link StoreUnavailableException} if the log does not answer.
     */
    CompletionStage<Void> confirm() {
        owner.assertCurrent();
        CompletableFuture<Void> answer = next == null ? new CompletableFuture<>() : next;
        next = answer;
        if (!running) {
            start(answer);
        }
        return answer;
    }

    private void start(CompletableFuture<Void> answer) {
        next = null;
        running = true;
        var _ = CompletableFuture.runAsync(this::requireMember, WAITING)
                .whenCompleteAsync((_, failure) -> onChecked(answer, failure), thread);
    }

    private void requireMember() {
        try {
            if (!life.isConfirmed()) {
                throw new NodeOverException("the cluster has declared this node dead");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("the check of the log of nodes was interrupted", e);
        }
    }

    private void onChecked(CompletableFuture<Void> answer, @Nullable Throwable failure) {
        running = false;
        if (next != null) {
            start(next);
        }
        if (failure == null) {
            answer.complete(null);
        } else {
            answer.completeExceptionally(KafkaFaults.cause(failure));
        }
    }
}

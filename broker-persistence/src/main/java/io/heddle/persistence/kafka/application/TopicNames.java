package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Asks Kafka for the names of all topics. Owned by the thread of {@link ApplicationTopics}. One request runs at a time, and the next one serves
 * all callers that wait for it: a node takes many buckets at once.
 */
final class TopicNames {
    private final Admin admin;
    private final Executor thread;
    private final OwnerThread owner;
    private @Nullable CompletableFuture<Set<String>> next;
    private boolean running;

    /**
     * @param thread executes tasks on the owning thread
     * @param owner the owning thread
     */
    TopicNames(Admin admin, Executor thread, OwnerThread owner) {
        this.admin = admin;
        this.thread = thread;
        this.owner = owner;
    }

    /** Returns the names of all topics that exist after this call. Completes on the owning thread. */
    CompletionStage<Set<String>> list() {
        owner.assertCurrent();
        CompletableFuture<Set<String>> answer = next == null ? new CompletableFuture<>() : next;
        next = answer;
        if (!running) {
            start(answer);
        }
        return answer;
    }

    private void start(CompletableFuture<Set<String>> answer) {
        next = null;
        running = true;
        admin.listTopics()
                .names()
                .toCompletionStage()
                .whenCompleteAsync(
                        (names, failure) -> {
                            running = false;
                            if (next != null) {
                                start(next);
                            }
                            if (failure == null) {
                                answer.complete(names);
                            } else {
                                answer.completeExceptionally(failure);
                            }
                        },
                        thread);
    }
}

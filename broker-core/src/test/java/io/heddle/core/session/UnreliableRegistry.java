package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.SessionRegistry;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A registry whose answers to CONNECT a test can delay or fail. */
final class UnreliableRegistry implements SessionRegistry {
    private final SessionRegistry registry;
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private boolean holding;
    private @Nullable Throwable fault;

    public UnreliableRegistry(SessionRegistry registry) {
        this.registry = registry;
    }

    /** Delays all answers from now on. */
    public void hold() {
        holding = true;
    }

    /** The number of delayed answers. */
    public int waiting() {
        return held.size();
    }

    /** Sends the delayed answers. */
    public void release() {
        holding = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    /** From now on every CONNECT fails with this, until it is null. */
    public void failWith(@Nullable Throwable reason) {
        fault = reason;
    }

    @Override
    public CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long previousEpoch, long epoch, String owner) {
        if (fault != null) {
            return CompletableFuture.failedStage(fault);
        }
        CompletionStage<Registration> answer =
                registry.connect(bucket, clientId, generation, previousEpoch, epoch, owner);
        if (!holding) {
            return answer;
        }
        CompletableFuture<Registration> late = new CompletableFuture<>();
        held.add(() -> late.complete(answer.toCompletableFuture().join()));
        return late;
    }

    @Override
    public CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo) {
        return registry.disconnect(bucket, clientId, epoch, sentUpTo);
    }

    @Override
    public CompletionStage<Integer> end(int bucket, ClientId clientId, long generation) {
        return registry.end(bucket, clientId, generation);
    }

    @Override
    public CompletionStage<Void> restore(int bucket, List<Known> sessions) {
        return registry.restore(bucket, sessions);
    }
}

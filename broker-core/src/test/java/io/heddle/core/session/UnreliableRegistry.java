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
    private int ends;
    private @Nullable Throwable fault;

    public UnreliableRegistry(SessionRegistry registry) {
        this.registry = registry;
    }

    /** Delays all answers from now on. */
    public void hold() {
        holding = true;
    }

    /** Delays no further answers; those that are delayed stay so. */
    public void holdNoMore() {
        holding = false;
    }

    /** The number of delayed answers. */
    public int waiting() {
        return held.size();
    }

    /** The number of queues that were removed. */
    public int ends() {
        return ends;
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
        ends++;
        return registry.end(bucket, clientId, generation);
    }

    @Override
    public CompletionStage<Void> restore(int bucket, List<Known> sessions) {
        return registry.restore(bucket, sessions);
    }
}

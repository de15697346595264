package io.heddle.core.simulation.kafka;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fencing of ended nodes by one process. */
public final class SimFencing implements ProducerFencing {
    private static final long RETRY_MICROS = 20_000;
    private static final long TIMEOUT_MICROS = 5_000_000;

    private final World world;
    private final SimProcess process;
    private final SimCoordinator coordinator;

    public SimFencing(World world, SimProcess process, SimKafka kafka) {
        this.world = world;
        this.process = process;
        this.coordinator = kafka.coordinator();
    }

    @Override
    public CompletionStage<Set<TransactionalId>> unfenced() {
        return ask(coordinator::unfenced);
    }

    @Override
    public CompletionStage<Void> fence(Set<TransactionalId> ids) {
        return world.has(Mistake.FENCED_BEFORE_DEAD) ? CompletableFuture.completedStage(null) : fenceNow(ids);
    }

    CompletionStage<Void> fenceNow(Set<TransactionalId> ids) {
        CompletableFuture<?>[] fenced = ids.stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .map(id -> ask(() -> coordinator.fence(id.name()) ? id : null).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(fenced);
    }

    /** Repeats a question until the answer is not null; fails after a time. */
    private <T> CompletionStage<T> ask(Supplier<@Nullable T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        ask(question, answer, world.nanoTime() + TIMEOUT_MICROS * 1_000);
        return answer;
    }

    private <T> void ask(Supplier<@Nullable T> question, CompletableFuture<T> answer, long untilNanos) {
        world.after(world.environment(), world.delay(), () -> {
            T answered = question.get();
            if (answered != null) {
                world.after(process, world.delay(), () -> answer.complete(answered));
            } else if (world.nanoTime() > untilNanos) {
                world.after(
                        process,
                        0,
                        () -> answer.completeExceptionally(
                                new StoreUnavailableException("Kafka did not fence in time", null)));
            } else {
                world.after(process, RETRY_MICROS, () -> ask(question, answer, untilNanos));
            }
        });
    }
}

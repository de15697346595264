package io.heddle.core.simulation.redis;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The Redis client of one process: one connection, whose calls are executed and answered in order. While Redis is away, a call fails after a
 * timeout; it may have been executed.
 */
public final class SimRedisClient implements DeviceQueues, SessionRegistry {
    private static final long TIMEOUT_MICROS = 1_000_000;

    private final World world;
    private final SimProcess process;
    private final SimRedis redis;
    private final Map<Integer, BucketPosition> highest = new HashMap<>();
    private @Nullable Runnable onReturned;
    private long lastRequestNanos;
    private long lastAnswerNanos;

    public SimRedisClient(World world, SimProcess process, SimRedis redis) {
        this.world = world;
        this.process = process;
        this.redis = redis;
        redis.add(this);
    }

    /** Sets the task that runs when Redis is connected again. */
    public void whenReturned(Runnable task) {
        onReturned = task;
    }

    void onReturned() {
        Runnable task = onReturned;
        if (task != null) {
            world.after(process, world.random().nextLong(1_000, 300_000), task);
        }
    }

    private <T> CompletionStage<T> call(Function<InMemoryDeviceQueues, CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        lastRequestNanos = Math.max(lastRequestNanos + 1, world.nanoTime() + redis.delay() * 1_000);
        world.at(world.environment(), lastRequestNanos, () -> {
            if (redis.isAway()) {
                fail(answer);
                return;
            }
            // The answer is what Redis knows now, though it arrives later.
            T value = command.apply(redis.contents()).toCompletableFuture().join();
            long answerNanos = Math.max(lastAnswerNanos + 1, world.nanoTime() + redis.delay() * 1_000);
            lastAnswerNanos = answerNanos;
            world.at(world.environment(), answerNanos, () -> {
                if (redis.isAway()) {
                    fail(answer);
                } else {
                    world.after(process, 0, () -> answer.complete(value));
                }
            });
        });
        return answer;
    }

    private void fail(CompletableFuture<?> answer) {
        world.after(
                process,
                world.random().nextLong(1, TIMEOUT_MICROS),
                () -> answer.completeExceptionally(new StoreUnavailableException("Redis is away", null)));
    }

    // Queues.

    @Override
    public CompletionStage<BucketPosition> position(int bucket) {
        CompletionStage<BucketPosition> answer = call(queues -> queues.position(bucket));
        return world.has(Mistake.ROLLBACK_NOT_DETECTED)
                ? answer.thenApply(position -> highest.merge(
                        bucket, position, (one, other) -> one.appliedOffset() > other.appliedOffset() ? one : other))
                : answer;
    }

    @Override
    public CompletionStage<BucketApplied> apply(
            BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis) {
        boolean isUnchecked = world.has(Mistake.GAP_IGNORED) || world.has(Mistake.ROLLBACK_NOT_DETECTED);
        BucketBatch applied = isUnchecked
                ? new BucketBatch(batch.bucket(), BucketBatch.NOTHING, batch.commands(), batch.completeFrom())
                : batch;
        Map<ClientId, Long> pushedNow = pushedNow(batch, pushed);
        return call(queues -> queues.apply(
                applied, bounds, (clientId, _) -> pushedNow.getOrDefault(clientId, PushedUpTo.NOTHING), nowMillis));
    }

    /** Returns the sequence numbers up to which readers have messages in memory at the time of the call, before Redis executes it. */
    private static Map<ClientId, Long> pushedNow(BucketBatch batch, PushedUpTo pushed) {
        Map<ClientId, Long> now = new HashMap<>();
        for (BucketBatch.Logged logged : batch.commands()) {
            if (logged.command() instanceof BucketCommand.Enqueue enqueue) {
                enqueue.recipients()
                        .forEach(recipient -> now.put(
                                recipient.clientId(), pushed.upTo(recipient.clientId(), recipient.generation())));
            }
        }
        return now;
    }

    @Override
    public CompletionStage<QueuePage> page(
            int bucket,
            ClientId clientId,
            long generation,
            long epoch,
            long from,
            int maximumMessages,
            int maximumBytes) {
        return call(queues -> {
            CompletionStage<QueuePage> page =
                    queues.page(bucket, clientId, generation, epoch, from, maximumMessages, maximumBytes);
            QueuePage read = page.toCompletableFuture().join();
            if (world.has(Mistake.QUEUE_FORGETS_ON_READ) && !read.entries().isEmpty()) {
                var _ = queues.acknowledge(
                        bucket,
                        List.of(new Acknowledgement(
                                clientId,
                                generation,
                                queues.position(bucket)
                                        .toCompletableFuture()
                                        .join()
                                        .viewId(),
                                read.entries().getLast().sequence())));
            }
            return page;
        });
    }

    @Override
    public CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> acknowledgements) {
        return call(queues -> queues.acknowledge(bucket, acknowledgements));
    }

    @Override
    public CompletionStage<QueueView> view(
            int bucket, ClientId clientId, long generation, long from, int maximumMessages, int maximumBytes) {
        return call(queues -> queues.view(bucket, clientId, generation, from, maximumMessages, maximumBytes));
    }

    @Override
    public CompletionStage<List<QueueEnds>> tails(int bucket, List<SessionKey> sessions) {
        return call(queues -> queues.tails(bucket, sessions));
    }

    // Registry.

    @Override
    public CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long previousEpoch, long epoch, String owner) {
        return call(queues -> {
            if (world.has(Mistake.REGISTRATION_EMPTIES_QUEUE)) {
                var _ = queues.end(bucket, clientId, generation);
            }
            return queues.connect(bucket, clientId, generation, previousEpoch, epoch, owner);
        });
    }

    @Override
    public CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo) {
        return call(queues -> queues.disconnect(bucket, clientId, epoch, sentUpTo));
    }

    @Override
    public CompletionStage<Integer> end(int bucket, ClientId clientId, long generation) {
        return call(queues -> queues.end(bucket, clientId, generation));
    }

    @Override
    public CompletionStage<Void> restore(int bucket, List<Known> sessions) {
        return call(queues -> queues.restore(bucket, sessions));
    }
}

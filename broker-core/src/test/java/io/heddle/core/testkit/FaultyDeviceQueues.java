package io.heddle.core.testkit;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueuePage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Queues that refuse, lose their answers or hold them back when a test says so, and write down what they were asked. Thread-safe; a
 * held answer is what was true when it was asked for.
 */
public final class FaultyDeviceQueues implements DeviceQueues {
    private final DeviceQueues queues;
    private final List<Long> pages = new ArrayList<>();
    private final List<List<Acknowledgement>> acknowledgements = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private IntPredicate refuses = bucket -> false;
    private IntPredicate losesAnswers = bucket -> false;
    private Predicate<Logged> rejects = command -> false;
    private boolean holding;
    private boolean throwing;

    /** In front of these, which are asked when all is well. */
    public FaultyDeviceQueues(DeviceQueues queues) {
        this.queues = queues;
    }

    /** From now on these buckets carry out nothing. */
    public synchronized void refuse(IntPredicate buckets) {
        refuses = buckets;
    }

    /** From now on these buckets do what they are asked, and nobody hears of it. */
    public synchronized void loseAnswers(IntPredicate buckets) {
        losesAnswers = buckets;
    }

    /** From now on a batch with a command at one of these offsets is rejected. */
    public synchronized void reject(Predicate<Logged> commands) {
        rejects = commands;
    }

    /** From now on nothing can even be asked. */
    public synchronized void throwAll() {
        throwing = true;
    }

    /** From now on all is well. */
    public synchronized void heal() {
        throwing = false;
        refuses = bucket -> false;
        losesAnswers = bucket -> false;
        rejects = command -> false;
    }

    /** From now on nothing is answered. */
    public synchronized void hold() {
        holding = true;
    }

    /** From now on what is asked is answered at once; what waits goes on waiting. */
    public synchronized void holdNoMore() {
        holding = false;
    }

    /** Answers all that waits, in order, on this thread, and from now on at once. */
    public void release() {
        List<Runnable> due;
        synchronized (this) {
            holding = false;
            due = List.copyOf(held);
            held.clear();
        }
        due.forEach(Runnable::run);
    }

    /** From which numbers pages were asked for. */
    public synchronized List<Long> pages() {
        return List.copyOf(pages);
    }

    /** What was acknowledged, call by call, whatever came of it. */
    public synchronized List<List<Acknowledgement>> acknowledgements() {
        return List.copyOf(acknowledgements);
    }

    private synchronized <T> CompletionStage<T> ask(int bucket, Supplier<CompletionStage<T>> question) {
        if (throwing) {
            throw new IllegalStateException("a mistake");
        }
        if (refuses.test(bucket)) {
            return unavailable();
        }
        CompletionStage<T> answer = question.get();
        if (losesAnswers.test(bucket)) {
            return unavailable();
        }
        if (!holding) {
            return answer;
        }
        CompletableFuture<T> later = new CompletableFuture<>();
        held.add(() -> later.complete(answer.toCompletableFuture().join()));
        return later;
    }

    private static <T> CompletionStage<T> unavailable() {
        return CompletableFuture.failedStage(new StoreUnavailableException("the queues do not answer", null));
    }

    @Override
    public CompletionStage<BucketPosition> position(int bucket) {
        return ask(bucket, () -> queues.position(bucket));
    }

    @Override
    public CompletionStage<BucketApplied> apply(
            BucketBatch batch, QueueBounds bounds, PushedUpTo pushed, long nowMillis) {
        synchronized (this) {
            if (batch.commands().stream().anyMatch(rejects)) {
                return CompletableFuture.failedStage(new StoreRejectedException("WRONGTYPE", null));
            }
        }
        return ask(batch.bucket(), () -> queues.apply(batch, bounds, pushed, nowMillis));
    }

    @Override
    public synchronized CompletionStage<QueuePage> page(
            int bucket,
            ClientId clientId,
            long generation,
            long epoch,
            long from,
            int maximumMessages,
            int maximumBytes) {
        pages.add(from);
        return ask(bucket, () -> queues.page(bucket, clientId, generation, epoch, from, maximumMessages, maximumBytes));
    }

    @Override
    public synchronized CompletionStage<Void> acknowledge(int bucket, List<Acknowledgement> told) {
        acknowledgements.add(List.copyOf(told));
        return ask(bucket, () -> queues.acknowledge(bucket, told));
    }
}

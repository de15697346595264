package io.heddle.core.testkit;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Device queues that fail, lose answers or delay them as a test requires, and record requests. Thread-safe; a delayed answer is
 * computed at the time of the request.
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

    /** Wraps queues that execute the requests. */
    public FaultyDeviceQueues(DeviceQueues queues) {
        this.queues = queues;
    }

    /** Makes these buckets fail without executing requests. */
    public synchronized void refuse(IntPredicate buckets) {
        refuses = buckets;
    }

    /** Makes these buckets execute requests but lose the answers. */
    public synchronized void loseAnswers(IntPredicate buckets) {
        losesAnswers = buckets;
    }

    /** Rejects batches that contain a command matching this. */
    public synchronized void reject(Predicate<Logged> commands) {
        rejects = commands;
    }

    /** Makes every request throw. */
    public synchronized void throwAll() {
        throwing = true;
    }

    /** Ends all faults. */
    public synchronized void heal() {
        throwing = false;
        refuses = bucket -> false;
        losesAnswers = bucket -> false;
        rejects = command -> false;
    }

    /** Delays all answers. */
    public synchronized void hold() {
        holding = true;
    }

    /** Answers new requests immediately; delayed answers stay delayed. */
    public synchronized void holdNoMore() {
        holding = false;
    }

    /** Sends all delayed answers in order, on this thread, and answers immediately from now on. */
    public void release() {
        List<Runnable> due;
        synchronized (this) {
            holding = false;
            due = List.copyOf(held);
            held.clear();
        }
        due.forEach(Runnable::run);
    }

    /** Returns the first sequence number of each requested page. */
    public synchronized List<Long> pages() {
        return List.copyOf(pages);
    }

    /** Returns the acknowledgements of each call, including failed ones. */
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

    @Override
    public CompletionStage<QueueView> view(
            int bucket, ClientId clientId, long generation, long from, int maximumMessages, int maximumBytes) {
        return ask(bucket, () -> queues.view(bucket, clientId, generation, from, maximumMessages, maximumBytes));
    }

    @Override
    public CompletionStage<List<QueueEnds>> tails(int bucket, List<SessionKey> sessions) {
        return ask(bucket, () -> queues.tails(bucket, sessions));
    }
}

package io.heddle.core.delivery.bucket;

import io.heddle.core.OwnerThread;
import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.Gap;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the bucket logs to the queues, each log in order and independently of the others, and pushes the messages to connected sessions.
 * Belongs to the thread that reads the logs (the applying thread). The thread never blocks here: answers of the store run as its tasks.
 *
 * <p>Each bucket has a {@link BucketChain}: in step → behind (its queues rolled back or do not answer; their position is queried and the log
 * is read again from there) → in step. A command that the queues reject permanently becomes a dead letter, and the chain continues. Bound:
 * for each bucket one batch is in flight and {@code maximumBufferedBytes} are buffered.
 */
public final class BucketWriter implements BucketSink {
    private static final Logger log = LoggerFactory.getLogger(BucketWriter.class);

    private static final long LONGEST_WAIT_MILLIS = 1_000;

    /** If this many commands in a row cannot even be assigned sequence numbers, the bucket is broken and not the commands. */
    private static final int MAXIMUM_SKIPPED = 10;

    private final DeviceQueues queues;
    private final QueueSessions sessions;
    private final BucketPositions positions;
    private final DeadLetters deadLetters;
    private final QueueBounds bounds;
    private final long maximumBufferedBytes;
    private final SteadyClock clock;
    private final EnqueueResults results;
    private final BucketChain[] chains;
    private final ApplyFailures failures;
    private final AnswerTimes answerTimes = new AnswerTimes();
    private final OwnerThread owner = new OwnerThread();
    private Executor tasks = Runnable::run;

    private int pendingAnswers;
    private volatile long bufferedBytes;

    private final Counter rolledBack;

    /**
     * Creates a writer of all buckets.
     *
     * @param positions records the progress
     * @param deadLetters takes rejected commands
     * @param bounds of every queue
     * @param maximumBufferedBytes for each bucket; a bucket with so many bytes that are not applied is not read
     */
    public BucketWriter(
            DeviceQueues queues,
            QueueSessions sessions,
            BucketPositions positions,
            MessageLog deadLetters,
            QueueBounds bounds,
            long maximumBufferedBytes,
            SteadyClock clock,
            MeterRegistry metrics) {
        this.queues = queues;
        this.sessions = sessions;
        this.positions = positions;
        this.deadLetters = new DeadLetters(deadLetters, clock, metrics);
        this.bounds = bounds;
        this.maximumBufferedBytes = maximumBufferedBytes;
        this.clock = clock;
        this.results = new EnqueueResults(sessions, metrics);
        this.chains = new BucketChain[positions.count()];
        for (int bucket = 0; bucket < chains.length; bucket++) {
            chains[bucket] = new BucketChain(bucket, new CatchUpThrottle(bounds, clock, metrics));
        }
        this.failures = new ApplyFailures(clock, metrics);
        this.rolledBack = metrics.counter("heddle.buckets.rollbacks");
        Gauge.builder("heddle.buckets.buffered.bytes", this, writer -> writer.bufferedBytes)
                .register(metrics);
    }

    /** The last failure to apply a bucket, or null. Any thread. */
    public @Nullable String fault() {
        return failures.last();
    }

    /** Why a bucket is not applied although its queues answer; null if it is applied. Any thread. */
    public @Nullable String blockReason(int bucket) {
        return chains[bucket].blockReason();
    }

    @Override
    public void start(Executor readingThread) {
        tasks = readingThread;
        owner.assertCurrent();
    }

    @Override
    public void advance() {
        owner.assertCurrent();
        long nowMillis = clock.millis();
        queryPositions(nowMillis);
        long buffered = 0;
        for (BucketChain chain : chains) {
            advance(chain, nowMillis);
            if (chain.becameOverdue(nowMillis, answerTimes)) {
                positions.onStalled(chain.bucket);
            }
            buffered += chain.bufferedBytes();
        }
        bufferedBytes = buffered;
    }

    @Override
    public void sendPushes() {
        owner.assertCurrent();
        results.send();
    }

    @Override
    public int pendingAnswers() {
        owner.assertCurrent();
        return pendingAnswers;
    }

    @Override
    public long maximumWaitMillis() {
        owner.assertCurrent();
        long nowMillis = clock.millis();
        long wait = pendingAnswers > 0 ? 0 : LONGEST_WAIT_MILLIS;
        for (int i = 0; wait > 0 && i < chains.length; i++) {
            wait = Math.min(wait, chains[i].maximumWaitMillis(nowMillis, LONGEST_WAIT_MILLIS));
        }
        return wait;
    }

    @Override
    public void rewind(Set<Integer> buckets) {
        owner.assertCurrent();
        for (int bucket : buckets) {
            chains[bucket].invalidatePosition();
        }
    }

    @Override
    public Map<Integer, Long> takeSeeks() {
        owner.assertCurrent();
        Map<Integer, Long> seeks = Map.of();
        for (BucketChain chain : chains) {
            Long afterOffset = chain.takeSeek();
            if (afterOffset != null) {
                seeks = seeks.isEmpty() ? new HashMap<>() : seeks;
                seeks.put(chain.bucket, afterOffset);
            }
        }
        return seeks;
    }

    @Override
    public boolean canRead(int bucket) {
        owner.assertCurrent();
        return chains[bucket].canRead(maximumBufferedBytes);
    }

    @Override
    public void onCommands(int bucket, List<Logged> commands, long firstMillis) {
        owner.assertCurrent();
        chains[bucket].add(commands, firstMillis);
    }

    @Override
    public void onReached(int bucket, long nextOffset) {
        owner.assertCurrent();
        BucketChain chain = chains[bucket];
        if (chain.isPositioned()) {
            positions.applied(bucket, chain.readUpTo(nextOffset - 1));
        }
    }

    @Override
    public void onStopped(int bucket, String reason) {
        owner.assertCurrent();
        // The adapter of the log counts this and logs what the operator must do.
        log.debug("The log of bucket {} is not read until the next start: {}", bucket, reason);
        chains[bucket].stop(reason);
        positions.onStopped(bucket);
    }

    /** Runs a step of a chain and handles its answer on the applying thread. An exception of the call counts as a failed answer. */
    private <T> void step(Supplier<CompletionStage<T>> call, BiConsumer<T, @Nullable Throwable> onAnswer) {
        CompletionStage<T> answer;
        try {
            answer = call.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedStage(e);
        }
        pendingAnswers++;
        answer.whenComplete((value, failure) -> tasks.execute(() -> {
            pendingAnswers--;
            onAnswer.accept(value, failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
        }));
    }

    /** Queries the positions of queues where they are unknown, and registers connected sessions there before anything is applied. */
    private void queryPositions(long nowMillis) {
        Set<Integer> queried = Set.of();
        for (BucketChain chain : chains) {
            if (chain.mustQueryPosition(nowMillis)) {
                queried = queried.isEmpty() ? new HashSet<>() : queried;
                queried.add(chain.bucket);
            }
        }
        if (queried.isEmpty()) {
            return;
        }
        Map<Integer, CompletionStage<Void>> registrations = sessions.reRegisterSessions(queried);
        for (int bucket : queried) {
            BucketChain chain = chains[bucket];
            chain.startStep(nowMillis);
            CompletionStage<Void> registered = registrations.get(bucket);
            step(
                    () -> registered == null
                            ? queues.position(bucket)
                            : queues.position(bucket).thenCombine(registered, (position, _) -> position),
                    (position, failure) -> onPosition(chain, position, failure));
        }
    }

    private void onPosition(BucketChain chain, BucketPosition position, @Nullable Throwable failure) {
        if (failure != null) {
            onFailed(chain, failure);
            return;
        }
        BucketPosition known = positions.lastPosition(chain.bucket);
        if (known != null && position.viewId() != known.viewId()) {
            chain.onQueuesLost();
        }
        if (position.isBehind(known)) {
            rolledBack.increment();
            chain.throttle.onRolledBack();
            log.warn(
                    "Redis has lost writes to the queues of bucket {}: replaying the bucket log from offset {}",
                    chain.bucket,
                    position.appliedOffset());
        }
        chain.positionAt(position.appliedOffset());
        positions.recordPosition(chain.bucket, position);
        positions.applied(chain.bucket, position.appliedOffset());
    }

    private void advance(BucketChain chain, long nowMillis) {
        if (chain.mustEndFeeds(nowMillis)) {
            endFeeds(chain, nowMillis);
            return;
        }
        BucketBatch batch = chain.nextBatch(nowMillis);
        if (batch != null) {
            step(
                    () -> queues.apply(batch, bounds, this::pushedUpTo, nowMillis),
                    (applied, failure) -> onApplied(chain, batch, applied, failure));
        }
    }

    /**
     * Ends the feeds, then queries the position: requests are executed in order, so its answer implies that earlier acknowledgements are
     * executed.
     */
    private void endFeeds(BucketChain chain, long nowMillis) {
        chain.startStep(nowMillis);
        step(
                () -> sessions.endFeeds(chain.bucket, chain.completeFrom())
                        .thenCompose(_ -> queues.position(chain.bucket)),
                (_, failure) -> {
                    if (failure != null) {
                        onFailed(chain, failure);
                        return;
                    }
                    chain.onFeedsEnded();
                    advance(chain, clock.millis());
                });
    }

    private long pushedUpTo(ClientId clientId, long generation) {
        QueueSessions.Reader reader = sessions.reader(clientId, generation);
        return reader == null ? PushedUpTo.NOTHING : reader.pushedUpTo();
    }

    private void onApplied(BucketChain chain, BucketBatch batch, BucketApplied applied, @Nullable Throwable failure) {
        if (failure instanceof StoreRejectedException) {
            onRejected(chain, failure);
            return;
        }
        if (failure != null) {
            chain.throttle.onUnanswered(chain.sinceMillis());
            onFailed(chain, failure);
            return;
        }
        chain.throttle.onAnswered(chain.sinceMillis());
        answerTimes.record(chain.sinceMillis(), clock.millis());
        switch (applied) {
            case Done done -> {
                results.add(batch, done, chain.throttle);
                positions.recordApplied(chain.bucket, chain.batchWrites(), clock.millis() - chain.sinceMillis());
                positions.recordPosition(chain.bucket, done.position());
                positions.applied(chain.bucket, chain.onApplied());
                advance(chain, clock.millis());
            }
            case Gap gap -> onGap(chain, batch, gap.position());
        }
    }

    private void onFailed(BucketChain chain, Throwable failure) {
        positions.onStalled(chain.bucket);
        long pauseMillis = chain.onFailed(clock.millis(), failure);
        failures.record(chain.bucket, failure, pauseMillis);
    }

    /** Handles a rollback of the queues: their position is queried again after their sessions are registered. */
    private void onGap(BucketChain chain, BucketBatch batch, BucketPosition position) {
        log.debug(
                "The queues of bucket {} are at offset {}, expected record {} to follow {}",
                chain.bucket,
                position.appliedOffset(),
                batch.commands().getFirst().offset(),
                batch.precedingOffset());
        positions.applied(chain.bucket, position.appliedOffset());
        chain.onGap();
    }

    private void onRejected(BucketChain chain, Throwable rejection) {
        failures.countRejection();
        Logged poison = chain.onRejected();
        if (poison == null) {
            advance(chain, clock.millis());
            return;
        }
        // If even the position of the bucket cannot be queried, the bucket is broken and not the command.
        step(() -> queues.position(chain.bucket), (_, failure) -> {
            if (failure != null) {
                onFailed(chain, failure);
            } else if (poison.rejected()) {
                skip(chain, poison, rejection);
            } else {
                writeDeadLetter(chain, poison, rejection);
            }
        });
    }

    private void writeDeadLetter(BucketChain chain, Logged poison, Throwable rejection) {
        step(() -> deadLetters.append(chain.bucket, poison, rejection), (_, failure) -> {
            if (failure != null) {
                onFailed(chain, failure);
                return;
            }
            chain.markRejected();
            deadLetters.onAppended(chain.bucket, poison, rejection);
            advance(chain, clock.millis());
        });
    }

    /** Skips a command that cannot even be assigned its sequence numbers. */
    private void skip(BucketChain chain, Logged poison, Throwable rejection) {
        if (chain.skipped() >= MAXIMUM_SKIPPED) {
            deadLetters.alert(
                    "blocks its bucket, because all commands before it were rejected, too: repair the bucket in Redis",
                    chain.bucket,
                    poison,
                    rejection);
            onFailed(chain, rejection);
            return;
        }
        deadLetters.alert(
                "was skipped; its message has no sequence number in the queues", chain.bucket, poison, rejection);
        chain.skip();
        advance(chain, clock.millis());
    }
}

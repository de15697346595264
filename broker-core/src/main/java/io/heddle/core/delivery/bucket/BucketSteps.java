package io.heddle.core.delivery.bucket;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.Gap;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the steps of the {@linkplain BucketChain chains}: calls the stores and handles their answers, which run as tasks of the applying
 * thread. Belongs to that thread. After the release of a chain, the answer of its step in flight only pushes the messages that the step has
 * queued.
 */
final class BucketSteps {
    private static final Logger log = LoggerFactory.getLogger(BucketSteps.class);

    /** If this many commands in a row cannot even be assigned sequence numbers, the bucket is broken and not the commands. */
    private static final int MAXIMUM_SKIPPED = 10;

    private final DeviceQueues queues;
    private final QueueSessions sessions;
    private final BucketPositions positions;
    private final DeadLetters deadLetters;
    private final QueueBounds bounds;
    private final SteadyClock clock;
    private final EnqueueResults results;
    private final ApplyFailures failures;
    private final AnswerTimes answerTimes = new AnswerTimes();
    private final Counter rolledBack;
    private Executor tasks = Runnable::run;
    private int pendingAnswers;

    BucketSteps(
            DeviceQueues queues,
            QueueSessions sessions,
            BucketPositions positions,
            DeadLetters deadLetters,
            QueueBounds bounds,
            SteadyClock clock,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.queues = queues;
        this.sessions = sessions;
        this.positions = positions;
        this.deadLetters = deadLetters;
        this.bounds = bounds;
        this.clock = clock;
        this.results = new EnqueueResults(sessions, bounds.maximumMessages(), clock, incidents, metrics);
        this.failures = new ApplyFailures(clock, metrics);
        this.rolledBack = metrics.counter("heddle.buckets.rollbacks");
    }

    /** @param thread executes tasks on the applying thread */
    void start(Executor thread) {
        tasks = thread;
    }

    /** The last failure to apply a bucket, or null. Any thread. */
    @Nullable
    String fault() {
        return failures.last();
    }

    void sendPushes() {
        results.send();
    }

    int pendingAnswers() {
        return pendingAnswers;
    }

    /** Ends the holding of a bucket. The chain finishes when its step in flight is answered or {@linkplain #abandon abandoned}. */
    void release(BucketChain chain) {
        chain.release();
        if (!chain.isBusy()) {
            chain.finish();
        }
    }

    /**
     * Finishes a released chain whose answer is overdue. A late answer is ignored. A call that the queues execute late does no harm: its
     * batch names the offset that it follows, so the queues apply each command once.
     */
    void abandon(BucketChain chain, long nowMillis) {
        if (chain.isOverdue(nowMillis, answerTimes)) {
            pendingAnswers--;
            chain.finish();
        }
    }

    /** Reports queues that do not answer, so that the lag of their bucket delays no publisher. */
    void reportOverdue(BucketChain chain, long nowMillis) {
        if (chain.becameOverdue(nowMillis, answerTimes)) {
            positions.onStalled(chain.bucket);
        }
    }

    /** Takes a step of a held chain; its answer is ignored after the release of the chain. */
    private <T> void step(
            BucketChain chain, Supplier<CompletionStage<T>> call, BiConsumer<T, @Nullable Throwable> onAnswer) {
        step(chain, call, onAnswer, _ -> {});
    }

    /**
     * Takes a step of a held chain. An exception of the call counts as a failed answer.
     *
     * @param onLast handles the result if the chain was released meanwhile and the step did not fail
     */
    private <T> void step(
            BucketChain chain,
            Supplier<CompletionStage<T>> call,
            BiConsumer<T, @Nullable Throwable> onAnswer,
            Consumer<T> onLast) {
        CompletionStage<T> answer;
        try {
            answer = call.get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedStage(e);
        }
        pendingAnswers++;
        answer.whenComplete((value, failure) -> tasks.execute(() -> {
            if (chain.isFinished()) {
                return;
            }
            pendingAnswers--;
            if (!chain.isReleased()) {
                onAnswer.accept(value, failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                return;
            }
            if (failure == null) {
                onLast.accept(value);
            }
            chain.finish();
        }));
    }

    /**
     * Queries the position of the queues.
     *
     * @param registered completes when the connected sessions of the bucket are registered, or null if there are none
     */
    void queryPosition(BucketChain chain, @Nullable CompletionStage<Void> registered, long nowMillis) {
        chain.startStep(nowMillis);
        step(
                chain,
                () -> registered == null
                        ? queues.position(chain.bucket)
                        : queues.position(chain.bucket).thenCombine(registered, (position, _) -> position),
                (position, failure) -> onPosition(chain, position, failure));
    }

    private void onPosition(BucketChain chain, BucketPosition position, @Nullable Throwable failure) {
        if (failure != null) {
            onFailed(chain, failure);
            return;
        }
        BucketPosition known = positions.lastPosition(chain.bucket);
        if (known != null && position.viewId() != known.viewId()) {
            chain.onQueuesLost(position.viewId());
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
        sessions.onPositioned(chain.bucket, position.viewId(), known == null);
    }

    /** Starts the next step of a held chain if it can start now. */
    void advance(BucketChain chain, long nowMillis) {
        if (chain.mustEndFeeds(nowMillis)) {
            endFeeds(chain, nowMillis);
            return;
        }
        BucketBatch batch = chain.nextBatch(nowMillis);
        if (batch != null) {
            step(
                    chain,
                    () -> queues.apply(batch, bounds, this::pushedUpTo, nowMillis),
                    (applied, failure) -> onApplied(chain, batch, applied, failure),
                    applied -> onLastApplied(chain, batch, applied));
        }
    }

    /**
     * Ends the feeds, then queries the position: requests are executed in order, so its answer implies that earlier acknowledgements are
     * executed.
     */
    private void endFeeds(BucketChain chain, long nowMillis) {
        chain.startStep(nowMillis);
        step(chain, () -> sessions.endFeeds(chain.bucket, chain.viewId(), chain.completeFrom()), (_, ended) -> {
            if (ended != null) {
                onFailed(chain, ended);
                return;
            }
            step(chain, () -> queues.position(chain.bucket), (_, failure) -> {
                if (failure != null) {
                    onFailed(chain, failure);
                    return;
                }
                chain.onFeedsEnded();
                advance(chain, clock.millis());
            });
        });
    }

    private long pushedUpTo(ClientId clientId, long generation) {
        PushTarget target = sessions.target(clientId, generation);
        return target == null ? PushedUpTo.NOTHING : target.pushedUpTo();
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

    /** Handles the answer to the last batch of a released chain: its messages are pushed, and nothing is remembered. */
    private void onLastApplied(BucketChain chain, BucketBatch batch, BucketApplied applied) {
        answerTimes.record(chain.sinceMillis(), clock.millis());
        if (applied instanceof Done done) {
            results.add(batch, done, chain.throttle);
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
        step(chain, () -> queues.position(chain.bucket), (_, failure) -> {
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
        step(chain, () -> deadLetters.append(chain.bucket, poison, rejection), (_, failure) -> {
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

package io.heddle.core.delivery.device;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.Fate;
import io.heddle.core.delivery.device.BucketApplied.Gap;
import io.heddle.core.delivery.device.BucketApplied.Placement;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the bucket logs to the queues, in the order of the logs, and tells connected sessions what they got. Runs on the thread
 * that reads the logs, and waits there for the queues' answers.
 *
 * <p>For each bucket: in step (what was read follows what is applied) → behind (the queues went back, or did not answer:
 * the reader goes back to where they stand) → in step. Bound: what one poll of the logs returns.
 */
public final class BucketWriter implements BucketSink {
    private static final Logger log = LoggerFactory.getLogger(BucketWriter.class);

    /** A store that has not answered for so long does not lag but stands still. */
    private static final long STALL_MILLIS = 500;

    private final DeviceQueues queues;
    private final QueueSessions sessions;
    private final BucketPositions positions;
    private final QueueBounds bounds;
    private final SteadyClock clock;
    private final CatchUpPace pace;

    private final Counter queued;
    private final Counter expired;
    private final Counter queueFull;
    private final Counter sessionEnded;
    private final Counter failures;
    private final Counter wentBack;

    /**
     * A writer of all buckets whose logs this node reads.
     *
     * @param positions is told how far it is
     * @param bounds of every queue
     * @param nap lets a few milliseconds pass on the thread that applies the logs, while clients catch up; returns at once when
     *     the thread is interrupted
     */
    public BucketWriter(
            DeviceQueues queues,
            QueueSessions sessions,
            BucketPositions positions,
            QueueBounds bounds,
            SteadyClock clock,
            Runnable nap,
            MeterRegistry metrics) {
        this.queues = queues;
        this.sessions = sessions;
        this.positions = positions;
        this.bounds = bounds;
        this.clock = clock;
        this.pace = new CatchUpPace(bounds, clock, nap, metrics);
        this.queued = metrics.counter("heddle.queues.messages");
        this.expired = metrics.counter("heddle.messages.dropped", "reason", "expired");
        this.queueFull = metrics.counter("heddle.messages.dropped", "reason", "queue_full");
        this.sessionEnded = metrics.counter("heddle.messages.dropped", "reason", "session_ended");
        this.failures = metrics.counter("heddle.buckets.apply.failures");
        this.wentBack = metrics.counter("heddle.buckets.went.back");
    }

    @Override
    public long appliedOffset(int bucket) {
        BucketPosition position = await(queues.position(bucket));
        positions.stands(bucket, position);
        positions.applied(bucket, position.appliedOffset());
        return position.appliedOffset();
    }

    @Override
    public Map<Integer, Long> appliedOffsets(Set<Integer> buckets) {
        Map<Integer, CompletionStage<BucketPosition>> answers = new HashMap<>();
        for (int bucket : buckets) {
            answers.put(bucket, queues.position(bucket));
        }
        Map<Integer, Long> offsets = new HashMap<>();
        answers.forEach((bucket, answer) -> {
            BucketPosition position = await(answer);
            if (position.isBehind(positions.known(bucket))) {
                wentBack.increment();
                pace.wentBack();
                log.warn(
                        "Bucket {}: its queues stand at offset {} and have forgotten what they had before: reading again from there",
                        bucket,
                        position.appliedOffset());
            }
            positions.stands(bucket, position);
            positions.applied(bucket, position.appliedOffset());
            offsets.put(bucket, position.appliedOffset());
        });
        // Before anything is applied: who is connected is told what comes, as the queues' answers say.
        await(sessions.bucketsWentBack(buckets));
        return offsets;
    }

    @Override
    public Map<Integer, Long> apply(List<BucketBatch> batches) {
        Map<Integer, Long> readAgainBehind = new HashMap<>();
        for (List<BucketBatch> portion : pace.portions(batches)) {
            List<BucketBatch> inStep = readAgainBehind.isEmpty()
                    ? portion
                    : portion.stream()
                            .filter(batch -> !readAgainBehind.containsKey(batch.bucket()))
                            .toList();
            applyPortion(inStep, readAgainBehind);
            pace.awaitReaders();
        }
        return readAgainBehind;
    }

    private void applyPortion(List<BucketBatch> batches, Map<Integer, Long> readAgainBehind) {
        long startMillis = clock.millis();
        List<CompletionStage<BucketApplied>> answers = new ArrayList<>(batches.size());
        for (BucketBatch batch : batches) {
            answers.add(queues.apply(batch, bounds, this::pushedUpTo, startMillis));
        }
        Set<Integer> wentBackNow = new HashSet<>();
        QueuePushes pushes = new QueuePushes();
        StoreUnavailableException unanswered = null;
        for (int i = 0; i < batches.size(); i++) {
            BucketBatch batch = batches.get(i);
            try {
                switch (applied(answers.get(i))) {
                    case Done done -> done(batch, done, pushes);
                    case Gap gap -> {
                        readAgainBehind.put(batch.bucket(), behind(batch, gap.position()));
                        wentBackNow.add(batch.bucket());
                    }
                }
            } catch (StoreUnavailableException e) {
                unanswered = e;
            }
        }
        pushes.send();
        if (!wentBackNow.isEmpty()) {
            try {
                await(sessions.bucketsWentBack(wentBackNow));
            } catch (StoreUnavailableException e) {
                unanswered = e;
            }
        }
        if (unanswered != null) {
            stalled();
            pace.unanswered(startMillis);
            // All of it comes again: what is applied stays so.
            throw unanswered;
        }
        pace.answered(startMillis);
    }

    private BucketApplied applied(CompletionStage<BucketApplied> answer) {
        try {
            var _ = answer.toCompletableFuture().get(STALL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            log.debug("the queues have not answered for {} ms", STALL_MILLIS);
            stalled();
        } catch (ExecutionException | InterruptedException e) {
            // Told again below.
            return await(answer);
        }
        return await(answer);
    }

    /** Nothing is applied to any bucket while this thread waits. */
    private void stalled() {
        for (int bucket = 0; bucket < positions.count(); bucket++) {
            positions.stalled(bucket);
        }
    }

    private long pushedUpTo(ClientId clientId, long generation) {
        QueueSessions.Reader reader = sessions.reader(clientId, generation);
        return reader == null ? PushedUpTo.NOTHING : reader.pushedUpTo();
    }

    private <T> T await(CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get();
        } catch (ExecutionException e) {
            failures.increment();
            throw e.getCause() instanceof StoreUnavailableException unavailable
                    ? unavailable
                    : new StoreUnavailableException("the queues failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while the queues were asked", e);
        }
    }

    @Override
    public void reached(int bucket, long nextOffset) {
        positions.applied(bucket, nextOffset - 1);
    }

    @Override
    public void stopped(int bucket, String reason) {
        // The log's adapter counts it and tells the operator what to do.
        log.debug("bucket {} is not applied any more: {}", bucket, reason);
    }

    private long behind(BucketBatch batch, BucketPosition position) {
        wentBack.increment();
        pace.wentBack();
        log.warn(
                "Bucket {}: its queues stand at offset {}, but {} was to follow {}: reading again from there",
                batch.bucket(),
                position.appliedOffset(),
                batch.commands().getFirst().offset(),
                batch.precedingOffset());
        positions.stands(batch.bucket(), position);
        positions.applied(batch.bucket(), position.appliedOffset());
        return position.appliedOffset();
    }

    private void done(BucketBatch batch, Done done, QueuePushes pushes) {
        int next = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            if (logged.command() instanceof BucketCommand.Enqueue command) {
                for (QueueRecipient recipient : command.recipients()) {
                    placed(
                            batch.bucket(),
                            command,
                            recipient,
                            done.placements().get(next++),
                            done.dropped() > 0,
                            pushes);
                }
            }
        }
        queueFull.increment(done.dropped());
        positions.stands(batch.bucket(), done.position());
        positions.applied(batch.bucket(), batch.lastOffset());
    }

    private void placed(
            int bucket,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            Placement placement,
            boolean somethingGaveWay,
            QueuePushes pushes) {
        switch (placement.fate()) {
            case QUEUED -> queued.increment();
            case EXPIRED -> expired.increment();
            case QUEUE_FULL -> queueFull.increment();
            case SESSION_ENDED -> sessionEnded.increment();
            case APPLIED_BEFORE -> {
                // Counted then.
            }
        }
        QueueSessions.Reader reader = placement.fate() == Fate.SESSION_ENDED
                ? null
                : sessions.reader(recipient.clientId(), recipient.generation());
        if (reader != null && reader.epoch() == placement.ownerEpoch()) {
            tell(reader, command, recipient, placement, somethingGaveWay, pushes);
        } else if (reader != null && reader.epoch() > placement.ownerEpoch()) {
            // It came a moment ago, or the queues have forgotten that it did.
            sessions.makeKnown(bucket, recipient.clientId(), recipient.generation());
            pushes.filledUpTo(reader, placement.sequence());
            pace.told(reader, placement.sequence(), command.message().heldBytes());
        } else if (placement.ownerEpoch() == 0
                && placement.fate() != Fate.SESSION_ENDED
                && sessions.isOver(recipient.clientId(), recipient.generation())) {
            // Whatever came of the message, its session is known to the queues again.
            sessions.forgetQueue(bucket, recipient.clientId(), recipient.generation());
        }
    }

    private void tell(
            QueueSessions.Reader reader,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            Placement placement,
            boolean somethingGaveWay,
            QueuePushes pushes) {
        switch (placement.fate()) {
            case QUEUED -> {
                if (somethingGaveWay) {
                    // Perhaps this, to what came behind it.
                    pushes.filledUpTo(reader, placement.sequence());
                } else {
                    pushes.message(reader, placement.sequence(), command, recipient);
                }
                pace.told(reader, placement.sequence(), command.message().heldBytes());
            }
            // Its number is not this message's, but the highest: the answer to the first try was lost, so nothing was
            // told.
            case APPLIED_BEFORE -> {
                pushes.filledUpTo(reader, placement.sequence());
                pace.told(reader, placement.sequence(), command.message().heldBytes());
            }
            case EXPIRED, QUEUE_FULL, SESSION_ENDED -> {
                // There is nothing to read.
            }
        }
    }
}

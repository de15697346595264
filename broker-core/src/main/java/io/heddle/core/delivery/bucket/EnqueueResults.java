package io.heddle.core.delivery.bucket;

import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what became of each copy of an applied batch and gathers what connected sessions hear of it, until it is sent. Belongs to the
 * thread that applies the logs.
 */
final class EnqueueResults {
    private final QueueSessions sessions;
    private final QueuePushes pushes = new QueuePushes();
    private final Counter queued;
    private final Counter expired;
    private final Counter queueFull;
    private final Counter sessionEnded;
    private final Counter rejected;

    EnqueueResults(QueueSessions sessions, MeterRegistry metrics) {
        this.sessions = sessions;
        this.queued = metrics.counter("heddle.queues.messages");
        this.expired = metrics.counter("heddle.messages.dropped", "reason", "expired");
        this.queueFull = metrics.counter("heddle.messages.dropped", "reason", "queue_full");
        this.sessionEnded = metrics.counter("heddle.messages.dropped", "reason", "session_ended");
        this.rejected = metrics.counter("heddle.messages.dropped", "reason", "rejected");
    }

    /** Hands over what was gathered. */
    void send() {
        pushes.send();
    }

    /** A batch is applied. */
    void add(BucketBatch batch, Done done, CatchUpThrottle pace) {
        int next = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            if (logged.command() instanceof BucketCommand.Enqueue command) {
                for (QueueRecipient recipient : command.recipients()) {
                    EnqueueResult result = done.results().get(next++);
                    if (logged.rejected()) {
                        rejected.increment();
                    } else {
                        placed(batch.bucket(), command, recipient, result, done.dropped() > 0, pace);
                    }
                }
            }
        }
        queueFull.increment(done.dropped());
    }

    private void placed(
            int bucket,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            EnqueueResult result,
            boolean somethingWasEvicted,
            CatchUpThrottle pace) {
        switch (result.outcome()) {
            case QUEUED -> queued.increment();
            case EXPIRED -> expired.increment();
            case QUEUE_FULL -> queueFull.increment();
            case SESSION_ENDED -> sessionEnded.increment();
            case APPLIED_BEFORE -> {
                // Counted then.
            }
        }
        QueueSessions.Reader reader = result.outcome() == EnqueueOutcome.SESSION_ENDED
                ? null
                : sessions.reader(recipient.clientId(), recipient.generation());
        if (reader != null && reader.epoch() == result.ownerEpoch()) {
            tell(reader, command, recipient, result, somethingWasEvicted, pace);
        } else if (reader != null && reader.epoch() > result.ownerEpoch()) {
            // It came a moment ago, or the queues have forgotten that it did.
            sessions.makeKnown(bucket, recipient.clientId(), recipient.generation());
            pushes.filledUpTo(reader, result.sequence());
            pace.told(reader, result.sequence(), command.message().heldBytes());
        } else if (result.ownerEpoch() == 0
                && result.outcome() != EnqueueOutcome.SESSION_ENDED
                && sessions.isOver(recipient.clientId(), recipient.generation())) {
            // Whatever came of the message, its session is known to the queues again.
            sessions.forgetQueue(bucket, recipient.clientId(), recipient.generation());
        }
    }

    private void tell(
            QueueSessions.Reader reader,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            EnqueueResult result,
            boolean somethingWasEvicted,
            CatchUpThrottle pace) {
        switch (result.outcome()) {
            case QUEUED -> {
                if (somethingWasEvicted) {
                    // Perhaps this, by a later one.
                    pushes.filledUpTo(reader, result.sequence());
                } else {
                    pushes.message(reader, result.sequence(), command, recipient);
                }
                pace.told(reader, result.sequence(), command.message().heldBytes());
            }
            // Its number is not this message's, but the highest: the answer to the first try was lost, so nothing was
            // told.
            case APPLIED_BEFORE -> {
                pushes.filledUpTo(reader, result.sequence());
                pace.told(reader, result.sequence(), command.message().heldBytes());
            }
            case EXPIRED, QUEUE_FULL, SESSION_ENDED -> {
                // There is nothing to read.
            }
        }
    }
}

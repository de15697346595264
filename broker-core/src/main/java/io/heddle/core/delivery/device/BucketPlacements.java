package io.heddle.core.delivery.device;

import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.Fate;
import io.heddle.core.delivery.device.BucketApplied.Placement;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counts what became of each copy of an applied batch and gathers what connected sessions hear of it, until it is sent. Belongs to the
 * thread that applies the logs.
 */
final class BucketPlacements {
    private final QueueSessions sessions;
    private final QueuePushes pushes = new QueuePushes();
    private final Counter queued;
    private final Counter expired;
    private final Counter queueFull;
    private final Counter sessionEnded;
    private final Counter rejected;

    BucketPlacements(QueueSessions sessions, MeterRegistry metrics) {
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
    void add(BucketBatch batch, Done done, CatchUpPace pace) {
        int next = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            if (logged.command() instanceof BucketCommand.Enqueue command) {
                for (QueueRecipient recipient : command.recipients()) {
                    Placement placement = done.placements().get(next++);
                    if (logged.rejected()) {
                        rejected.increment();
                    } else {
                        placed(batch.bucket(), command, recipient, placement, done.dropped() > 0, pace);
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
            Placement placement,
            boolean somethingWasEvicted,
            CatchUpPace pace) {
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
            tell(reader, command, recipient, placement, somethingWasEvicted, pace);
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
            boolean somethingWasEvicted,
            CatchUpPace pace) {
        switch (placement.fate()) {
            case QUEUED -> {
                if (somethingWasEvicted) {
                    // Perhaps this, by a later one.
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

package io.heddle.core.delivery.bucket;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.PastMessages;
import io.heddle.core.delivery.device.BucketApplied.Done;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts the results of applied batches and batches the pushes to connected sessions. Belongs to the applying thread.
 */
final class EnqueueResults {
    private final QueueSessions sessions;
    private final QueuePushes pushes = new QueuePushes();
    private final Counter queued;
    private final Counter expired;
    private final Counter queueFull;
    private final Counter sessionEnded;
    private final Counter rejected;
    private final Counter cleared;
    private final Limit limit;
    private final SteadyClock clock;
    private final ClientIncidents incidents;
    // The client whose full queue was the last in the batch to evict a message.
    private @Nullable ClientId evicting;

    EnqueueResults(
            QueueSessions sessions,
            int maximumMessages,
            SteadyClock clock,
            ClientIncidents incidents,
            MeterRegistry metrics) {
        this.sessions = sessions;
        // Redis does not tell which of both it was.
        this.limit = new Limit("heddle.session.maximum-queued-messages or -bytes", maximumMessages);
        this.clock = clock;
        this.incidents = incidents;
        this.queued = metrics.counter("heddle.queues.messages");
        this.expired = metrics.counter("heddle.messages.dropped", "reason", "expired");
        this.queueFull = metrics.counter("heddle.messages.dropped", "reason", "queue_full");
        this.sessionEnded = metrics.counter("heddle.messages.dropped", "reason", "session_ended");
        this.rejected = metrics.counter("heddle.messages.dropped", "reason", "rejected");
        this.cleared = metrics.counter("heddle.messages.dropped", "reason", "cleared");
    }

    /** Sends the batched pushes. */
    void send() {
        pushes.send();
        sessions.sendPushes();
    }

    void add(BucketBatch batch, Done done, CatchUpThrottle throttle) {
        int next = 0;
        for (BucketBatch.Logged logged : batch.commands()) {
            if (logged.command() instanceof BucketCommand.Enqueue command) {
                for (QueueRecipient recipient : command.recipients()) {
                    EnqueueResult result = done.results().get(next++);
                    if (logged.rejected()) {
                        rejected.increment();
                    } else {
                        add(batch.bucket(), command, recipient, result, done.dropped() > 0, throttle);
                    }
                }
            }
        }
        if (done.cleared() > 0) {
            cleared.increment(done.cleared());
        }
        if (done.dropped() > 0) {
            queueFull.increment(done.dropped());
        }
        ClientId latest = evicting;
        if (latest != null) {
            // Once for each batch, because the log takes a lock.
            evicting = null;
            incidents.overflowed(limit, "the oldest message in a full queue", latest);
        }
    }

    private void add(
            int bucket,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            EnqueueResult result,
            boolean hasEvicted,
            CatchUpThrottle throttle) {
        switch (result.outcome()) {
            case QUEUED -> queued.increment();
            case QUEUED_EVICTING -> {
                queued.increment();
                // The oldest one, which only the queue knows.
                dropped(recipient, QueueDrop.Reason.QUEUE_FULL, null);
                evicting = recipient.clientId();
            }
            case EXPIRED -> {
                expired.increment();
                dropped(recipient, QueueDrop.Reason.EXPIRED, command.message());
            }
            case QUEUE_FULL -> {
                queueFull.increment();
                dropped(recipient, QueueDrop.Reason.QUEUE_FULL, command.message());
                incidents.overflowed(limit, "a message for a full queue", recipient.clientId());
            }
            case SESSION_ENDED -> sessionEnded.increment();
            case APPLIED_BEFORE -> {
                // The earlier call counted the message.
            }
        }
        PushTarget reader = result.outcome() == EnqueueOutcome.SESSION_ENDED
                ? null
                : sessions.target(recipient.clientId(), recipient.generation());
        if (reader != null && reader.epoch() == result.ownerEpoch()) {
            push(reader, command, recipient, result, hasEvicted, throttle);
        } else if (reader != null && reader.epoch() > result.ownerEpoch()) {
            // The client connected after the batch was applied, or the queues have lost its registration.
            sessions.reRegister(bucket, recipient.clientId(), recipient.generation());
            pushes.addFilledUpTo(reader, result.sequence());
            throttle.recordQueued(reader, result.sequence(), command.message().heldBytes());
        } else if (reader != null) {
            // A later connection has the queue: the reader finds out when it reads.
            pushes.addFilledUpTo(reader, result.sequence());
        } else if (result.ownerEpoch() == 0
                && result.outcome() != EnqueueOutcome.SESSION_ENDED
                && sessions.hasEnded(recipient.clientId(), recipient.generation())) {
            // Applying the command has created a queue of the ended session again, whatever the outcome.
            sessions.removeQueue(bucket, recipient.clientId(), recipient.generation());
        }
    }

    private void dropped(QueueRecipient recipient, QueueDrop.Reason reason, @Nullable PublishMessage message) {
        long nowMillis = clock.millis();
        sessions.onDropped(recipient.clientId(), recipient.generation(), reason, nowMillis);
        incidents
                .pastMessages()
                .of(recipient.clientId(), nowMillis)
                .add(
                        nowMillis,
                        reason.tag(),
                        message == null ? null : message.topic().value(),
                        recipient.qos(),
                        message == null
                                ? PastMessages.UNKNOWN_BYTES
                                : message.payload().length());
    }

    private void push(
            PushTarget reader,
            BucketCommand.Enqueue command,
            QueueRecipient recipient,
            EnqueueResult result,
            boolean hasEvicted,
            CatchUpThrottle throttle) {
        switch (result.outcome()) {
            case QUEUED, QUEUED_EVICTING -> {
                if (hasEvicted) {
                    // This message may itself have been evicted by a later one of the batch.
                    pushes.addFilledUpTo(reader, result.sequence());
                } else {
                    pushes.addMessage(reader, result.sequence(), command, recipient);
                }
                throttle.recordQueued(
                        reader, result.sequence(), command.message().heldBytes());
            }
            // The answer to the first call was lost, so nothing was pushed. The sequence number is the highest one
            // assigned, not that of this message.
            case APPLIED_BEFORE -> {
                pushes.addFilledUpTo(reader, result.sequence());
                throttle.recordQueued(
                        reader, result.sequence(), command.message().heldBytes());
            }
            case EXPIRED, QUEUE_FULL, SESSION_ENDED -> {
                // There is nothing to read.
            }
        }
    }
}

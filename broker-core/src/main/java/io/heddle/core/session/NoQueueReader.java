package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/** A connected session that is registered with the queues and has none, because its messages are in a log of its own. */
record NoQueueReader(EventLoop eventLoop, long epoch) implements QueueSessions.Reader {
    @Override
    public long reportedBelow() {
        // Nothing waits there for it.
        return Long.MAX_VALUE;
    }

    @Override
    public long pushedUpTo() {
        return PushedUpTo.NOTHING;
    }

    @Override
    public void pushing(long sequence) {
        throw new IllegalStateException("an application has no queue");
    }

    @Override
    public void onQueueRolledBack() {
        // Nothing of it was there.
    }

    @Override
    public void onSequencesReset() {
        // It has numbers of its own log.
    }

    @Override
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        throw new IllegalStateException("clientId=" + recipient.clientId() + " is an application and has no queue");
    }

    @Override
    public void filledUpTo(long sequence) {
        // Nothing is to be read there.
    }
}

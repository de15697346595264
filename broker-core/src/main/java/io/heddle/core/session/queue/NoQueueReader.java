package io.heddle.core.session.queue;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/** The reader of a connected APPLICATION session, which is registered without a queue because its messages are in a log of its own. */
record NoQueueReader(EventLoop eventLoop, long epoch) implements QueueSessions.Reader {
    @Override
    public long reportedBelow() {
        // The session has no messages there.
        return Long.MAX_VALUE;
    }

    @Override
    public long pushedUpTo() {
        return PushedUpTo.NOTHING;
    }

    @Override
    public void pushing(long sequence) {
        throw new IllegalStateException("an APPLICATION client has no queue");
    }

    @Override
    public void onQueueRolledBack() {
        // The queues have no messages of the session.
    }

    @Override
    public void onSequencesReset(long viewId) {
        // The sequence numbers are those of its own log.
    }

    @Override
    public boolean onTail(long tail) {
        // The session has no messages there.
        return false;
    }

    @Override
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        throw new IllegalStateException("an APPLICATION client has no queue: clientId=" + recipient.clientId());
    }

    @Override
    public void filledUpTo(long sequence) {
        // The session has no messages there.
    }
}

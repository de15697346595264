package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.DeviceFeed;
import io.heddle.core.delivery.device.QueueSessions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/** How those who fill a session's queue reach its feed. */
record QueueReader(EventLoop eventLoop, long epoch, DeviceFeed feed) implements QueueSessions.Reader {
    @Override
    public long toldBelow() {
        return feed.toldBelow();
    }

    @Override
    public void queueWentBack() {
        feed.repeatAcknowledgement();
    }

    @Override
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        feed.pushed(sequence, command, recipient);
    }

    @Override
    public void filledUpTo(long sequence) {
        feed.filledUpTo(sequence);
    }
}

package io.heddle.core.session.queue;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.device.DeviceFeed;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;

/**
 * Passes the events of the writer of the queues on to the feed of a DEVICE session. The writer's thread owns the position of the pushes;
 * the feed is owned by its event loop.
 */
final class QueueReader implements QueueSessions.Reader {
    private final EventLoop eventLoop;
    private final long epoch;
    private final DeviceFeed feed;
    // Owned by the thread that applies the logs.
    private long pushedUpTo;

    /** @param tail the highest sequence number assigned in the queue when the session was registered */
    QueueReader(EventLoop eventLoop, long epoch, long tail, DeviceFeed feed) {
        this.eventLoop = eventLoop;
        this.epoch = epoch;
        this.pushedUpTo = tail;
        this.feed = feed;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public long reportedBelow() {
        return feed.reportedBelow();
    }

    @Override
    public long pushedUpTo() {
        return pushedUpTo;
    }

    @Override
    public void pushing(long sequence) {
        pushedUpTo = Math.max(pushedUpTo, sequence);
    }

    @Override
    public void onQueueRolledBack() {
        feed.resendAcknowledgements();
    }

    @Override
    public void onSequencesReset() {
        feed.onSequencesReset();
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

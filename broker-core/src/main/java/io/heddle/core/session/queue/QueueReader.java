package io.heddle.core.session.queue;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.QueueSessions;
import io.heddle.core.delivery.device.DeviceFeed;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.QueueRecipient;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * Passes the events of the writer of the queues on to the feed of a DEVICE session, which is owned by its event loop. The position of the
 * pushes only grows: the thread that applies the logs advances it, and the loops of the links do while another node applies them.
 */
final class QueueReader implements QueueSessions.Reader {
    private static final AtomicLongFieldUpdater<QueueReader> PUSHED_UP_TO =
            AtomicLongFieldUpdater.newUpdater(QueueReader.class, "pushedUpTo");

    private final EventLoop eventLoop;
    private final long epoch;
    private final DeviceFeed feed;
    private volatile long pushedUpTo;

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
        PUSHED_UP_TO.accumulateAndGet(this, sequence, Math::max);
    }

    @Override
    public void onQueueRolledBack() {
        feed.resendAcknowledgements();
    }

    @Override
    public void onSequencesReset(long viewId) {
        feed.onSequencesReset(viewId);
    }

    @Override
    public boolean onTail(long tail) {
        return feed.onTail(tail);
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

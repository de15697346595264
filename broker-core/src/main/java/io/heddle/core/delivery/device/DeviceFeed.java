package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds one connected client from its queue. Belongs to the event loop of the connection.
 *
 * <p>A push is a hint, the queue is the truth. While the feed is in sync, a push carries exactly the next sequence number and its message
 * is taken from memory. Otherwise a push only shows the tail of the queue, and the feed reads the queue page by page up to its tail.
 *
 * <p>States: created (receives pushes, reads nothing) → in sync ⇄ behind (reading a page, pausing after a failure, or full until the
 * session has taken all buffered messages) → ended. Bound: {@link FeedBuffer}.
 */
@HotPath
public final class DeviceFeed implements OutboundQueue {
    private static final Logger log = LoggerFactory.getLogger(DeviceFeed.class);

    private static final int PAGE_MESSAGES = 64;
    private static final int PAGE_BYTES = 256 * 1024;
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** Acknowledgements are reported at once when they cover this fraction (one over this number) of a queue. */
    private static final int UNREPORTED_SHARE = 8;
    /** The lag is reported when this fraction (one over this number) of a queue has filled up. */
    private static final int LAG_SHARE = 2;

    // Dependencies.
    private final DeviceQueues queues;
    private final QueueBounds bounds;
    private final QueueAcknowledgements acknowledgements;
    private final ReadAhead readAhead;

    // The connection.
    private final QueueOwner owner;
    private final EventLoop eventLoop;
    private final Listener listener;
    private final long duplicatesUpTo;

    // Messages read and not taken, and the next sequence number to read.
    private final FeedBuffer buffer;
    private long position;
    // The highest sequence number known to be assigned.
    private long tail;
    // One above the last sequence number taken.
    private long takenBelow;
    private final QueueProgress progress;
    private final ReceivedMarks received;
    // Acknowledged messages and bytes of taken messages since the last immediate report to the queue.
    private int unreportedMessages;
    private long unreportedBytes;
    // Whether the queue knows that pushes are skipped, and the bytes of the pushes skipped since the last page.
    private boolean lagReported;
    private long skippedBytes;
    // Read the queue even at its known tail: messages queued before the feed existed were not pushed.
    private boolean mustRead = true;
    private boolean started;
    private boolean reading;
    private boolean ended;

    /**
     * Creates the feed of a session that this connection has taken over. The feed reads nothing before {@link #begin}.
     *
     * @param head the lowest sequence number in the queue
     * @param tail the highest sequence number assigned
     * @param duplicatesUpTo the highest sequence number that may have been sent before
     */
    public DeviceFeed(
            FeedSources shared,
            QueueOwner owner,
            EventLoop eventLoop,
            Listener listener,
            long head,
            long tail,
            long duplicatesUpTo) {
        this.queues = shared.queues();
        this.bounds = shared.bounds();
        this.acknowledgements = shared.acknowledgements();
        this.readAhead = shared.readAhead();
        this.buffer = new FeedBuffer(readAhead);
        this.owner = owner;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.position = head;
        this.takenBelow = head;
        this.progress = new QueueProgress(owner, head);
        this.received = new ReceivedMarks(shared, owner, eventLoop, listener);
        this.tail = tail;
        this.duplicatesUpTo = duplicatesUpTo;
    }

    /** Starts reading. Pushes arrive before that, too. */
    @Override
    public void begin() {
        eventLoop.assertCurrent();
        started = true;
        readNext();
    }

    /** Takes a message from memory if it is the next one; otherwise only records that the queue has reached its sequence number. */
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        eventLoop.assertCurrent();
        if (sequence != position || reading || !started || ended || buffer.isFull()) {
            skippedBytes += command.message().heldBytes();
            filledUpTo(sequence);
            return;
        }
        tail = Math.max(tail, sequence);
        position++;
        boolean wasEmpty = buffer.isEmpty();
        buffer.add(new StoredMessage(
                sequence,
                command.message(),
                recipient.qos(),
                recipient.retain(),
                recipient.subscriptionIdentifiers(),
                sequence <= duplicatesUpTo,
                false));
        if (wasEmpty || isQueueFull()) {
            listener.onMessageAvailable();
        }
    }

    private boolean isQueueFull() {
        return tail - progress.lowest() >= bounds.maximumMessages() - 1;
    }

    /** Records that sequence numbers up to this one are assigned in the queue. */
    public void filledUpTo(long sequence) {
        eventLoop.assertCurrent();
        if (ended) {
            return;
        }
        if (progress.contains(sequence)) {
            // The queue lost the acknowledgement and has the message again from the log.
            resendAcknowledgements();
            return;
        }
        tail = Math.max(tail, sequence);
        readNext();
        reportLag();
        if (isQueueFull()) {
            listener.onMessageAvailable();
        }
    }

    /** Reports the lag before the queue is full, because the queue evicts only messages that its reader does not have. */
    private void reportLag() {
        boolean fills = (tail - position + 1) * LAG_SHARE >= bounds.maximumMessages()
                || skippedBytes * LAG_SHARE >= bounds.maximumBytes();
        if (!fills || lagReported || position > tail || !started || reading || ended) {
            return;
        }
        lagReported = true;
        requestPage(0, (page, failure) -> {
            reading = false;
            lagReported = failure == null && page.isOwned();
            readNext();
        });
    }

    private void readNext() {
        if (!started || reading || ended || buffer.isFull() || (position > tail && !mustRead)) {
            return;
        }
        mustRead = false;
        long tailBefore = tail;
        requestPage(readAhead.isFull() ? 1 : PAGE_MESSAGES, (page, failure) -> {
            if (failure == null) {
                onPage(page, tailBefore);
            } else {
                onReadFailed(failure);
            }
        });
    }

    /** Requests one page. One request is in flight at a time; pushes that arrive meanwhile are skipped. */
    private void requestPage(int maximumMessages, BiConsumer<QueuePage, @Nullable Throwable> onAnswer) {
        reading = true;
        skippedBytes = 0;
        queues.page(
                        owner.bucket(),
                        owner.clientId(),
                        owner.generation(),
                        owner.epoch(),
                        position,
                        maximumMessages,
                        PAGE_BYTES)
                .whenComplete((page, failure) -> eventLoop.execute(() -> onAnswer.accept(page, failure)));
    }

    private void onPage(QueuePage page, long tailBefore) {
        reading = false;
        if (ended) {
            return;
        }
        switch (page.ownership()) {
            case OWNER -> add(page, tailBefore);
            // Redis lost the registration. The session registers again, and the queue is replayed from the log.
            case UNKNOWN -> readLater();
            case FENCED -> {
                // The connection ends; nothing more is read.
                started = false;
                listener.onQueueLost(ReasonCode.SESSION_TAKEN_OVER, "another connection has taken the session over");
            }
        }
    }

    private void add(QueuePage page, long tailBefore) {
        tail = Math.max(tail, page.tail());
        boolean wasEmpty = buffer.isEmpty();
        List<QueuePage.Entry> entries = page.entries();
        for (int i = 0; i < entries.size(); i++) {
            QueuePage.Entry entry = entries.get(i);
            position = entry.sequence() + 1;
            buffer.add(new StoredMessage(
                    entry.sequence(),
                    entry.message(),
                    entry.qos(),
                    entry.retain(),
                    entry.subscriptionIdentifiers(),
                    entry.sequence() <= duplicatesUpTo,
                    entry.received()));
        }
        // The queue knows that entries behind the page are unread.
        lagReported = !entries.isEmpty() && position <= page.tail();
        if (entries.isEmpty()) {
            // Every message up to the tail was removed or acknowledged.
            position = Math.max(position, page.tail() + 1);
        }
        if (wasEmpty && !buffer.isEmpty()) {
            listener.onMessageAvailable();
        }
        if (entries.isEmpty() && page.tail() < tailBefore) {
            // The queue has rolled back. Its messages return when the log has been replayed.
            readLater();
        } else {
            readNext();
        }
    }

    private void onReadFailed(Throwable failure) {
        log.debug("Cannot read the queue; retrying in {} ms, clientId={}", PAUSE.toMillis(), owner.clientId(), failure);
        readLater();
    }

    private void readLater() {
        reading = true;
        eventLoop.schedule(PAUSE, () -> {
            reading = false;
            mustRead = true;
            readNext();
        });
    }

    @Override
    public long first() {
        eventLoop.assertCurrent();
        return progress.lowest();
    }

    @Override
    public long waiting() {
        eventLoop.assertCurrent();
        return buffer.size() + Math.max(0, tail - position + 1);
    }

    @Override
    public long duplicatesUpTo() {
        return duplicatesUpTo;
    }

    @Override
    public @Nullable StoredMessage peek() {
        eventLoop.assertCurrent();
        return progress.isFull() ? null : buffer.peek();
    }

    @Override
    public long sequence() {
        eventLoop.assertCurrent();
        return buffer.first().sequence();
    }

    @Override
    public InFlight take() {
        eventLoop.assertCurrent();
        StoredMessage taken = buffer.take();
        unreportedBytes += taken.message().heldBytes();
        if (takenBelow < taken.sequence()) {
            progress.addGap(takenBelow, taken.sequence());
        }
        takenBelow = taken.sequence() + 1;
        if (buffer.isEmpty()) {
            readNext();
        }
        return StoredInFlight.of(taken.qos());
    }

    @Override
    public void acknowledged(long sequence) {
        eventLoop.assertCurrent();
        if (!ended) {
            progress.acknowledged(sequence);
            unreportedMessages++;
            acknowledge();
        }
    }

    @Override
    public void acknowledgedBelow(long lowest) {
        eventLoop.assertCurrent();
        if (!ended && progress.acknowledgedBelow(lowest)) {
            acknowledge();
        }
    }

    private void acknowledge() {
        acknowledgements.add(owner.bucket(), progress);
        if ((long) unreportedMessages * UNREPORTED_SHARE >= bounds.maximumMessages()
                || unreportedBytes * UNREPORTED_SHARE >= bounds.maximumBytes()) {
            // Report at once, or acknowledged messages would soon fill the queue.
            unreportedMessages = 0;
            unreportedBytes = 0;
            acknowledgements.flush(owner.bucket());
        }
    }

    /** Every sequence number below this one was reported, or is being reported, to the queue as acknowledged. Any thread. */
    public long reportedBelow() {
        return progress.reportedBelow();
    }

    /** Reports all acknowledgements again, to a queue that may have rolled back. */
    public void resendAcknowledgements() {
        eventLoop.assertCurrent();
        if (!ended) {
            progress.markUnreported();
            acknowledge();
        }
    }

    /** Reads on if the queue has assigned more sequence numbers than the feed knows of. Returns whether it has. */
    public boolean onTail(long sequence) {
        eventLoop.assertCurrent();
        if (ended || sequence <= tail) {
            return false;
        }
        filledUpTo(sequence);
        return true;
    }

    /** Ends the feed if its queue was lost and assigns its sequence numbers again, in another view than that of the feed. */
    public void onSequencesReset(long viewId) {
        eventLoop.assertCurrent();
        if (!ended && viewId != owner.viewId()) {
            ended = true;
            buffer.clear();
            received.end();
            progress.abandon();
            listener.onQueueLost(ReasonCode.SERVER_BUSY, "its queue was lost, and its sequence numbers were reset");
        }
    }

    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        eventLoop.assertCurrent();
        received.write(sequence, remembered);
    }

    @Override
    public void end() {
        eventLoop.assertCurrent();
        ended = true;
        buffer.clear();
        received.end();
        acknowledgements.flush(owner.bucket());
        progress.close();
    }
}

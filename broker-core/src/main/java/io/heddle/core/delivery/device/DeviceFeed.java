package io.heddle.core.delivery.device;

import io.heddle.core.FailureLog;
import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
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
 * <p>A push is a hint, the queue is the truth. While the feed is in sync, what is pushed is exactly the next number and is taken
 * from memory; otherwise it only says how far the queue reaches, and the feed reads the queue page by page until it has
 * read that far.
 *
 * <p>States: not begun (it only listens) → in sync ⇄ behind (reading, resting after a failure, or full: then it reads on when all
 * that was read is taken) → ended. Bound: {@link FeedBuffer}.
 */
@HotPath
public final class DeviceFeed implements OutboundQueue {
    private static final Logger log = LoggerFactory.getLogger(DeviceFeed.class);

    private static final int PAGE_MESSAGES = 64;
    private static final int PAGE_BYTES = 256 * 1024;
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** The part of a queue that may be taken up by what its client has acknowledged and the queue does not know yet. */
    private static final int UNTOLD_SHARE = 8;
    /** The part of a queue that may fill up before it knows that its reader is behind. */
    private static final int UNSAID_SHARE = 2;

    // Dependencies.
    private final DeviceQueues queues;
    private final QueueBounds bounds;
    private final MessageLog messageLog;
    private final QueueAcknowledgements acknowledgements;
    private final ReadAhead readAhead;

    // Of the session.
    private final QueueOwner owner;
    private final EventLoop eventLoop;
    private final Listener listener;
    private final long duplicatesUpTo;

    // What was read and not taken, and where to read on.
    private final FeedBuffer buffer;
    private long position;
    // The highest number that is known to be given.
    private long known;
    // One above the last that was taken.
    private long takenBelow;
    private final QueueProgress progress;
    // Since the queue was last told at once: how many were acknowledged, and the bytes of what was taken.
    private int unreportedMessages;
    private long unreportedBytes;
    // Whether the queue knows that what is pushed is not taken, and the bytes of what was not since the last page.
    private boolean saidBehind;
    private long leftBytes;
    // Whether the queue has to be asked whatever is known: what came before anybody listened was not pushed.
    private boolean mustRead = true;
    private boolean begun;
    private boolean reading;
    private boolean ended;

    /**
     * A feed of a session that was just taken over; it reads nothing before {@link #begin}.
     *
     * @param head the lowest number in the queue
     * @param tail the highest that was given
     * @param duplicatesUpTo up to this number a message may have been sent before
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
        this.messageLog = shared.log();
        this.acknowledgements = shared.acknowledgements();
        this.readAhead = shared.readAhead();
        this.buffer = new FeedBuffer(readAhead);
        this.owner = owner;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.position = head;
        this.takenBelow = head;
        this.progress = new QueueProgress(owner, head);
        this.known = tail;
        this.duplicatesUpTo = duplicatesUpTo;
    }

    /** Pushes come in from before this on. */
    @Override
    public void begin() {
        eventLoop.assertCurrent();
        begun = true;
        readOn();
    }

    /** The queue got exactly this message, with this number. */
    public void pushed(long sequence, BucketCommand.Enqueue command, QueueRecipient recipient) {
        eventLoop.assertCurrent();
        if (sequence != position || reading || !begun || ended || buffer.isFull()) {
            leftBytes += command.message().heldBytes();
            filledUpTo(sequence);
            return;
        }
        known = Math.max(known, sequence);
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
        if (wasEmpty) {
            listener.feedReady();
        }
    }

    /** The queue was given numbers up to this one. */
    public void filledUpTo(long sequence) {
        eventLoop.assertCurrent();
        if (ended) {
            return;
        }
        if (progress.contains(sequence)) {
            // It had forgotten what was acknowledged, and has it again from the log.
            repeatAcknowledgement();
            return;
        }
        known = Math.max(known, sequence);
        readOn();
        reportLag();
    }

    /** Before the queue is full: only what nobody has gives way in it. */
    private void reportLag() {
        boolean fills = (known - position + 1) * UNSAID_SHARE >= bounds.maximumMessages()
                || leftBytes * UNSAID_SHARE >= bounds.maximumBytes();
        if (!fills || saidBehind || position > known || !begun || reading || ended) {
            return;
        }
        saidBehind = true;
        page(0, (page, failure) -> {
            reading = false;
            saidBehind = failure == null && page.owned();
            readOn();
        });
    }

    private void readOn() {
        if (!begun || reading || ended || buffer.isFull() || (position > known && !mustRead)) {
            return;
        }
        mustRead = false;
        long knownBefore = known;
        page(readAhead.isFull() ? 1 : PAGE_MESSAGES, (page, failure) -> {
            if (failure == null) {
                read(page, knownBefore);
            } else {
                readFailed(failure);
            }
        });
    }

    /** One is under way at a time; what is pushed meanwhile is not taken. */
    private void page(int maximumMessages, BiConsumer<QueuePage, @Nullable Throwable> answered) {
        reading = true;
        leftBytes = 0;
        queues.page(
                        owner.bucket(),
                        owner.clientId(),
                        owner.generation(),
                        owner.epoch(),
                        position,
                        maximumMessages,
                        PAGE_BYTES)
                .whenComplete((page, failure) -> eventLoop.execute(() -> answered.accept(page, failure)));
    }

    private void read(QueuePage page, long knownBefore) {
        reading = false;
        if (ended) {
            return;
        }
        switch (page.asker()) {
            case OWNER -> took(page, knownBefore);
            // It is told who is connected, and gets back what it had.
            case UNKNOWN -> readLater();
            case FENCED -> {
                // Nothing is read any more, and the connection ends.
                begun = false;
                listener.feedLost(ReasonCode.SESSION_TAKEN_OVER, "another connection has taken the session over");
            }
        }
    }

    private void took(QueuePage page, long knownBefore) {
        known = Math.max(known, page.tail());
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
        // What a page left is known to be unread.
        saidBehind = !entries.isEmpty() && position <= page.tail();
        if (entries.isEmpty()) {
            // Whatever was given up to the tail is gone or acknowledged.
            position = Math.max(position, page.tail() + 1);
        }
        if (wasEmpty && !buffer.isEmpty()) {
            listener.feedReady();
        }
        if (entries.isEmpty() && page.tail() < knownBefore) {
            // The queue has forgotten what it had: it takes until its log is applied again.
            readLater();
        } else {
            readOn();
        }
    }

    private void readFailed(Throwable failure) {
        log.debug("clientId={}: the queue could not be read, trying again", owner.clientId(), failure);
        readLater();
    }

    private void readLater() {
        reading = true;
        eventLoop.schedule(PAUSE, () -> {
            reading = false;
            mustRead = true;
            readOn();
        });
    }

    @Override
    public long first() {
        return progress.lowest();
    }

    @Override
    public long waiting() {
        return buffer.size() + Math.max(0, known - position + 1);
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
        return buffer.first().sequence();
    }

    @Override
    public InFlight take() {
        eventLoop.assertCurrent();
        StoredMessage taken = buffer.take();
        unreportedBytes += taken.message().heldBytes();
        if (takenBelow < taken.sequence()) {
            progress.missing(takenBelow, taken.sequence());
        }
        takenBelow = taken.sequence() + 1;
        if (buffer.isEmpty()) {
            readOn();
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
        if ((long) unreportedMessages * UNTOLD_SHARE >= bounds.maximumMessages()
                || unreportedBytes * UNTOLD_SHARE >= bounds.maximumBytes()) {
            // Or the queue would soon be full of what nobody needs.
            unreportedMessages = 0;
            unreportedBytes = 0;
            acknowledgements.tell(owner.bucket());
        }
    }

    /** The queue was told, or is being told, that all below this number is acknowledged. Any thread may ask. */
    public long reportedBelow() {
        return progress.reportedBelow();
    }

    /** The queue may have forgotten what was acknowledged: tells it again. */
    public void repeatAcknowledgement() {
        eventLoop.assertCurrent();
        if (!ended) {
            progress.notTold();
            acknowledge();
        }
    }

    /** The queue has lost everything, and gives its numbers to other messages: nothing of this feed is to reach it. */
    public void numbersBeganAnew() {
        eventLoop.assertCurrent();
        if (!ended) {
            ended = true;
            buffer.clear();
            progress.abandon();
            listener.feedLost(ReasonCode.SERVER_BUSY, "its queue was lost, and the numbers of its messages began anew");
        }
    }

    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        eventLoop.assertCurrent();
        BucketCommand mark = new BucketCommand.OutboundReceived(owner.clientId(), owner.generation(), sequence);
        messageLog.append(List.of(new LogAppend.ToBucket(owner.bucket(), mark)), new MessageLog.Outcome() {
            @Override
            public void appended() {
                eventLoop.execute(() -> {
                    if (!ended) {
                        remembered.run();
                    }
                });
            }

            @Override
            public void failed(Throwable reason) {
                FailureLog.warn(
                        log,
                        "clientId=" + owner.clientId() + ": a PUBREC could not be written to the log of bucket "
                                + owner.bucket(),
                        reason);
                eventLoop.execute(() -> {
                    if (!ended) {
                        listener.feedLost(ReasonCode.SERVER_BUSY, "its PUBREC could not be remembered");
                    }
                });
            }
        });
    }

    @Override
    public void end() {
        eventLoop.assertCurrent();
        ended = true;
        buffer.clear();
        acknowledgements.tell(owner.bucket());
        progress.ends();
    }
}

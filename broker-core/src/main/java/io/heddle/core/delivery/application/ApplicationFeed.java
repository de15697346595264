package io.heddle.core.delivery.application;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.log.AckRanges;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Feeds one connected client from its log. Belongs to the event loop of the connection; what is read comes from a thread of the logs.
 *
 * <p>States: not begun → opening (it is written that this connection may send: only then can a later one tell what it has to send as
 * duplicates) → feeding → ended. Bound: what was read and not taken, as far as {@link ApplicationLogs.Reading} lets it grow; while
 * more than {@value #MAXIMUM_RUNS} runs are acknowledged above what is not, nothing more is fed.
 */
@HotPath
public final class ApplicationFeed implements OutboundQueue, ApplicationLogs.Sink {
    private static final int MAXIMUM_RUNS = 2_048;

    private static final ApplicationLogs.Reading NOT_BEGUN = new ApplicationLogs.Reading() {
        @Override
        public void taken(long bytes) {
            throw new IllegalStateException("nothing is read yet");
        }

        @Override
        public void close() {
            // Nothing is read yet.
        }
    };

    // Dependencies.
    private final ApplicationLogs logs;
    private final ProgressKey key;
    private final EventLoop eventLoop;
    private final Listener listener;
    private final ProgressWriter writer;

    // Of the session.
    private final long duplicatesBelow;
    private final AckRanges acknowledged;
    // In the order of their PUBRECs.
    private final Set<Long> received;
    // Those of earlier connections: their turn is waited for, also when they are over before it.
    private final Set<Long> receivedBefore;

    private final ArrayDeque<StoredMessage> buffer = new ArrayDeque<>(2);
    private ApplicationLogs.Reading reading = NOT_BEGUN;
    // One above the last that was taken.
    private long position;
    private boolean open;
    private boolean ended;

    /**
     * A feed of a session that a connection has just taken; it reads nothing before {@link #begin}.
     *
     * @param before how far the session is
     * @param maximumSpan how far apart two numbers may be that are sent and not acknowledged
     */
    ApplicationFeed(
            ApplicationLogs logs,
            ProgressLog progress,
            ProgressKey key,
            Progress before,
            long maximumSpan,
            EventLoop eventLoop,
            Listener listener) {
        this.logs = logs;
        this.key = key;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.acknowledged = new AckRanges(before.lowest(), before.acknowledged());
        this.received = new LinkedHashSet<>(before.received());
        this.receivedBefore = Set.copyOf(before.received());
        this.position = acknowledged.lowest();
        // One that had no time to say may have sent as many as there are identifiers.
        this.duplicatesBelow = before.sentBelow() == Progress.UNKNOWN ? position + maximumSpan + 1 : before.sentBelow();
        this.writer = new ProgressWriter(
                progress,
                logs,
                key,
                eventLoop,
                () -> progress(Progress.UNKNOWN),
                reason -> listener.feedLost(ReasonCode.SESSION_TAKEN_OVER, reason));
    }

    private Progress progress(long sentBelow) {
        return new Progress(acknowledged.lowest(), acknowledged.runs(), List.copyOf(received), sentBelow);
    }

    @Override
    public void begin() {
        eventLoop.assertCurrent();
        reading = logs.read(key.clientId(), key.generation(), acknowledged.lowest(), this);
        writer.write(() -> {
            open = true;
            if (!buffer.isEmpty()) {
                listener.feedReady();
            }
        });
    }

    /** The numbers that PUBREC has come for over earlier connections, in the order in which it did. */
    public List<Long> received() {
        return List.copyOf(received);
    }

    // What is read.

    @Override
    public void read(List<ApplicationMessage> messages) {
        eventLoop.execute(() -> add(messages));
    }

    private void add(List<ApplicationMessage> messages) {
        if (ended) {
            return;
        }
        boolean wasEmpty = buffer.isEmpty();
        for (int i = 0; i < messages.size(); i++) {
            ApplicationMessage message = messages.get(i);
            if (acknowledged.contains(message.sequence()) && !receivedBefore.contains(message.sequence())) {
                reading.taken(message.message().heldBytes());
            } else {
                buffer.add(new StoredMessage(
                        message.sequence(),
                        message.message(),
                        message.qos(),
                        message.retain(),
                        message.subscriptionIdentifiers(),
                        message.sequence() < duplicatesBelow,
                        received.contains(message.sequence())));
            }
        }
        if (wasEmpty && open && !buffer.isEmpty()) {
            listener.feedReady();
        }
    }

    @Override
    public void lost(String reason) {
        eventLoop.execute(() -> {
            if (!ended) {
                listener.feedLost(ReasonCode.SESSION_TAKEN_OVER, reason);
            }
        });
    }

    // What is fed.

    @Override
    public long first() {
        return acknowledged.lowest();
    }

    @Override
    public long waiting() {
        return buffer.size();
    }

    @Override
    public long duplicatesUpTo() {
        return duplicatesBelow - 1;
    }

    @Override
    public @Nullable StoredMessage peek() {
        eventLoop.assertCurrent();
        return open && acknowledged.runCount() < MAXIMUM_RUNS ? buffer.peek() : null;
    }

    @Override
    public long sequence() {
        return buffer.getFirst().sequence();
    }

    @Override
    public InFlight take() {
        eventLoop.assertCurrent();
        StoredMessage taken = buffer.remove();
        if (position < taken.sequence()) {
            // Nothing of this session stands there.
            acknowledged.add(position, taken.sequence());
        }
        position = taken.sequence() + 1;
        reading.taken(taken.message().heldBytes());
        return StoredInFlight.of(taken.qos());
    }

    // What the client answers.

    @Override
    public void acknowledged(long sequence) {
        eventLoop.assertCurrent();
        if (!ended) {
            acknowledged.add(sequence);
            received.remove(sequence);
            writer.changed();
        }
    }

    @Override
    public void acknowledgedBelow(long lowest) {
        // Known from each of them.
    }

    @Override
    public void received(long sequence, InFlight message, Runnable remembered) {
        eventLoop.assertCurrent();
        received.add(sequence);
        writer.write(remembered);
    }

    @Override
    public void end() {
        eventLoop.assertCurrent();
        if (ended) {
            return;
        }
        ended = true;
        buffer.clear();
        reading.close();
        writer.end(progress(Math.max(duplicatesBelow, position)));
    }
}

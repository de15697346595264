package io.heddle.core.delivery.application;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.AckRanges;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Feeds one connected client from its log. Belongs to the event loop of the connection; {@link #read} and {@link #lost} are called by a
 * thread of the logs.
 *
 * <p>States: created → opening (writes that this connection may send, so that a later connection knows which messages are duplicates) →
 * feeding → ended. Bound: {@link ApplicationLogs.Reading} bounds the messages that were read and not taken; with {@value #MAXIMUM_RANGES}
 * acknowledged ranges above the lowest unacknowledged message, nothing more is fed.
 */
@HotPath
public final class ApplicationFeed implements OutboundQueue, ApplicationLogs.Sink {
    private static final int MAXIMUM_RANGES = 2_048;

    private static final ApplicationLogs.Reading NOT_STARTED = new ApplicationLogs.Reading() {
        @Override
        public void taken(long bytes) {
            throw new IllegalStateException("the log is not being read");
        }

        @Override
        public void close() {
            // The log is not being read.
        }
    };

    // Dependencies.
    private final ApplicationLogs logs;
    private final ProgressKey key;
    private final EventLoop eventLoop;
    private final Listener listener;
    private final ProgressWriter writer;

    // The session.
    private final long duplicatesBelow;
    private final AckRanges acknowledged;
    // In the order of their PUBRECs.
    private final Set<Long> received;
    // PUBRECs of earlier connections. The session waits for these messages, so they are fed even if they are completed
    // before.
    private final Set<Long> receivedBefore;

    // The connection.
    private final ArrayDeque<StoredMessage> buffer = new ArrayDeque<>(2);
    private ApplicationLogs.Reading reading = NOT_STARTED;
    // One above the last sequence number taken.
    private long position;
    private boolean open;
    private boolean ended;

    /**
     * Creates the feed of a session that this connection has taken over. The feed reads nothing before {@link #begin}.
     *
     * @param before the progress of the session
     * @param maximumSpan the maximum distance between two unacknowledged sequence numbers in flight
     */
    ApplicationFeed(
            ApplicationLogs logs,
            ProgressLog progress,
            ProgressKey key,
            Progress before,
            long maximumSpan,
            EventLoop eventLoop,
            RoutingLease lease,
            Listener listener) {
        this.logs = logs;
        this.key = key;
        this.eventLoop = eventLoop;
        this.listener = listener;
        this.acknowledged = new AckRanges(before.lowest(), before.acknowledged());
        this.received = new LinkedHashSet<>(before.received());
        this.receivedBefore = Set.copyOf(before.received());
        this.position = acknowledged.lowest();
        // A crashed connection did not record this; it may have sent as many messages as there are packet identifiers.
        this.duplicatesBelow = before.sentBelow() == Progress.UNKNOWN ? position + maximumSpan + 1 : before.sentBelow();
        this.writer = new ProgressWriter(
                progress,
                logs,
                key,
                eventLoop,
                () -> progress(Progress.UNKNOWN),
                reason -> listener.onQueueLost(ReasonCode.SESSION_TAKEN_OVER, reason),
                lease);
    }

    private Progress progress(long sentBelow) {
        return new Progress(acknowledged.lowest(), acknowledged.ranges(), List.copyOf(received), sentBelow);
    }

    @Override
    public void begin() {
        eventLoop.assertCurrent();
        reading = logs.read(key.clientId(), key.generation(), acknowledged.lowest(), this);
        writer.write(() -> {
            open = true;
            if (!buffer.isEmpty()) {
                listener.onMessageAvailable();
            }
        });
    }

    /** The sequence numbers between PUBREC and PUBCOMP, in the order of their PUBRECs. */
    public List<Long> received() {
        return List.copyOf(received);
    }

    // Called by the log.

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
            listener.onMessageAvailable();
        }
    }

    @Override
    public void lost(String reason) {
        eventLoop.execute(() -> {
            if (!ended) {
                listener.onQueueLost(ReasonCode.SESSION_TAKEN_OVER, reason);
            }
        });
    }

    // Called by the session.

    @Override
    public long first() {
        eventLoop.assertCurrent();
        return acknowledged.lowest();
    }

    @Override
    public long waiting() {
        eventLoop.assertCurrent();
        return buffer.size();
    }

    @Override
    public long duplicatesUpTo() {
        return duplicatesBelow - 1;
    }

    @Override
    public @Nullable StoredMessage peek() {
        eventLoop.assertCurrent();
        return open && acknowledged.rangeCount() < MAXIMUM_RANGES ? buffer.peek() : null;
    }

    @Override
    public long sequence() {
        eventLoop.assertCurrent();
        return buffer.getFirst().sequence();
    }

    @Override
    public InFlight take() {
        eventLoop.assertCurrent();
        StoredMessage taken = buffer.remove();
        if (position < taken.sequence()) {
            // The gap contains no message of this session.
            acknowledged.add(position, taken.sequence());
        }
        position = taken.sequence() + 1;
        reading.taken(taken.message().heldBytes());
        return StoredInFlight.of(taken.qos());
    }

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
        // Each message is acknowledged individually.
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

    @Override
    public CompletionStage<Void> whenPassedOn() {
        return writer.whenPassedOn();
    }
}

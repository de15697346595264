package io.heddle.core.session.queue;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.application.ApplicationFeed;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.AcknowledgementLog;
import io.heddle.core.delivery.device.DeviceFeed;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.FeedSources;
import io.heddle.core.delivery.device.QueueAcknowledgements;
import io.heddle.core.delivery.device.QueueOwner;
import io.heddle.core.delivery.device.ReadAhead;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OutboundQueue;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Opens the queues and logs of connected persistent sessions. Thread-safe. */
public final class SessionFeeds {
    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final ApplicationSessions applications;
    private final RollbackDetector rollbackDetector;
    private final List<FeedSources> byLoop = new ArrayList<>();

    /**
     * Opens the queues and logs of a node.
     *
     * @param bounds of every queue
     * @param eventLoops all of the node's, by their index
     * @param readAheadBytes the highest number of bytes that all feeds together hold
     * @param acknowledgementInterval between two records of a client's acknowledgements in the bucket log; zero for no records
     */
    public SessionFeeds(
            DeviceQueues queues,
            QueueBounds bounds,
            MessageLog log,
            SessionRegistry registry,
            BucketPositions positions,
            RollbackDetector rollbackDetector,
            ApplicationSessions applications,
            List<EventLoop> eventLoops,
            long readAheadBytes,
            Duration acknowledgementInterval,
            MeterRegistry metrics) {
        this.registry = registry;
        this.positions = positions;
        this.applications = applications;
        this.rollbackDetector = rollbackDetector;
        for (EventLoop eventLoop : eventLoops) {
            byLoop.add(new FeedSources(
                    queues,
                    bounds,
                    log,
                    new QueueAcknowledgements(
                            queues,
                            new AcknowledgementLog(log, eventLoop, acknowledgementInterval, metrics),
                            eventLoop,
                            metrics),
                    new ReadAhead(eventLoop.index(), Math.max(1, readAheadBytes / eventLoops.size()), metrics)));
        }
    }

    /** The registry of the sessions. */
    public SessionRegistry registry() {
        return registry;
    }

    /** The positions up to which the buckets' logs are applied. */
    public BucketPositions positions() {
        return positions;
    }

    /** Detects that the queues of a bucket have rolled back. */
    public RollbackDetector rollbackDetector() {
        return rollbackDetector;
    }

    /** Opens the queue or log of a session that was just registered. On the connection's event loop. */
    public OpenedFeed open(
            PersistentSession session, Registration registered, EventLoop eventLoop, OutboundQueue.Listener listener) {
        return switch (session.record().type()) {
            case DEVICE -> openQueue(session, registered, eventLoop, listener);
            case APPLICATION -> {
                ApplicationFeed feed = applications.open(
                        new ProgressKey(session.clientId(), session.generation(), registered.epoch()),
                        Outbox.MAXIMUM_SPAN,
                        eventLoop,
                        listener);
                yield new OpenedFeed(feed, feed.received(), new NoQueueReader(eventLoop, registered.epoch()));
            }
        };
    }

    private OpenedFeed openQueue(
            PersistentSession session, Registration registered, EventLoop eventLoop, OutboundQueue.Listener listener) {
        QueueOwner owner = new QueueOwner(
                session.bucket(),
                session.clientId(),
                session.generation(),
                registered.epoch(),
                registered.position().viewId());
        long first = first(registered);
        // An owner that died before its report may have sent, from the first unacknowledged message on, as many
        // messages as there are identifiers.
        long sentUpTo = registered.sentUpTo() == SessionRegistry.UNKNOWN
                ? Math.min(registered.tail(), first + Outbox.MAXIMUM_SPAN)
                : registered.sentUpTo();
        DeviceFeed feed = new DeviceFeed(
                byLoop.get(eventLoop.index()), owner, eventLoop, listener, first, registered.tail(), sentUpTo);
        return new OpenedFeed(
                feed,
                registered.outboundReceived(),
                new QueueReader(eventLoop, registered.epoch(), registered.tail(), feed));
    }

    /**
     * The lowest sequence number that may be unacknowledged. The queue may have lost acknowledgements. But a message with a PUBREC was
     * sent, so all messages below its span of identifiers were acknowledged before.
     */
    private static long first(Registration registered) {
        long first = registered.head();
        for (long received : registered.outboundReceived()) {
            first = Math.max(first, received - Outbox.MAXIMUM_SPAN);
        }
        return first;
    }
}

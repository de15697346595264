package io.heddle.core.session;

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
import io.heddle.core.delivery.device.QueueAcknowledgements;
import io.heddle.core.delivery.device.QueueOwner;
import io.heddle.core.delivery.device.ReadAhead;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OutboundFeed;
import io.heddle.core.session.SessionRegistry.Registration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes the feeds of connected persistent sessions. Thread-safe. */
public final class SessionFeeds {
    /** From the lowest number in flight to the highest. */
    private static final int MAXIMUM_SPAN = PacketIdentifiers.NUMBERED.count() - 2;

    private final DeviceQueues queues;
    private final QueueBounds bounds;
    private final MessageLog log;
    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final ApplicationSessions applications;
    private final RollbackDetector watch;
    private final List<QueueAcknowledgements> byLoop = new ArrayList<>();
    private final List<ReadAhead> readAhead = new ArrayList<>();

    /**
     * Feeds from a node's queues.
     *
     * @param bounds of every queue
     * @param eventLoops all of the node's, by their index
     * @param readAheadBytes what their feeds may hold together
     * @param acknowledgementInterval between two records in the bucket log of what a client has acknowledged; zero for none
     */
    public SessionFeeds(
            DeviceQueues queues,
            QueueBounds bounds,
            MessageLog log,
            SessionRegistry registry,
            BucketPositions positions,
            RollbackDetector watch,
            ApplicationSessions applications,
            List<EventLoop> eventLoops,
            long readAheadBytes,
            Duration acknowledgementInterval,
            MeterRegistry metrics) {
        this.queues = queues;
        this.bounds = bounds;
        this.log = log;
        this.registry = registry;
        this.positions = positions;
        this.applications = applications;
        this.watch = watch;
        for (EventLoop eventLoop : eventLoops) {
            byLoop.add(new QueueAcknowledgements(
                    queues,
                    new AcknowledgementLog(log, eventLoop, acknowledgementInterval, metrics),
                    eventLoop,
                    metrics));
            readAhead.add(new ReadAhead(eventLoop.index(), Math.max(1, readAheadBytes / eventLoops.size()), metrics));
        }
    }

    /** Where sessions are registered. */
    SessionRegistry registry() {
        return registry;
    }

    /** How far the buckets' logs are applied. */
    BucketPositions positions() {
        return positions;
    }

    /** Who is told that queues have forgotten something. */
    RollbackDetector watch() {
        return watch;
    }

    /** A feed for a session that was just registered. On the connection's event loop. */
    OpenedFeed open(
            PersistentSession session, Registration registered, EventLoop eventLoop, OutboundFeed.Listener listener) {
        return switch (session.record().type()) {
            case DEVICE -> openQueue(session, registered, eventLoop, listener);
            case APPLICATION -> {
                ApplicationFeed feed = applications.open(
                        new ProgressKey(session.clientId(), session.generation(), registered.epoch()),
                        MAXIMUM_SPAN,
                        eventLoop,
                        listener);
                yield new OpenedFeed(feed, feed.received(), new NoQueueReader(eventLoop, registered.epoch()));
            }
        };
    }

    private OpenedFeed openQueue(
            PersistentSession session, Registration registered, EventLoop eventLoop, OutboundFeed.Listener listener) {
        QueueOwner owner =
                new QueueOwner(session.bucket(), session.clientId(), session.generation(), registered.epoch());
        long first = first(registered);
        // One that had no time to say may have sent as many as there are identifiers: those that were acknowledged out
        // of
        // their order still stand in the queue.
        long sentUpTo = registered.sentUpTo() == SessionRegistry.UNKNOWN
                ? Math.min(registered.tail(), first + MAXIMUM_SPAN)
                : registered.sentUpTo();
        DeviceFeed feed = new DeviceFeed(
                queues,
                bounds,
                log,
                byLoop.get(eventLoop.index()),
                readAhead.get(eventLoop.index()),
                owner,
                eventLoop,
                listener,
                first,
                registered.tail(),
                sentUpTo);
        return new OpenedFeed(
                feed,
                registered.outboundReceived(),
                new QueueReader(eventLoop, registered.epoch(), registered.tail(), feed));
    }

    /**
     * The lowest number that may be unacknowledged. The queue may have forgotten acknowledgements, but what PUBREC has come for was
     * sent, and so everything that its identifier did not span together with it was acknowledged then.
     */
    private static long first(Registration registered) {
        long first = registered.head();
        for (long received : registered.outboundReceived()) {
            first = Math.max(first, received - MAXIMUM_SPAN);
        }
        return first;
    }
}

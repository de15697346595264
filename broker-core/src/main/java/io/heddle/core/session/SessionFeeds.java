package io.heddle.core.session;

import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.BucketPositions;
import io.heddle.core.delivery.device.DeviceFeed;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueueAcknowledgements;
import io.heddle.core.delivery.device.QueueOwner;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OutboundFeed;
import io.heddle.core.session.SessionRegistry.Registration;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/** Makes the feeds of connected persistent sessions. Thread-safe. */
public final class SessionFeeds {
    private final DeviceQueues queues;
    private final MessageLog log;
    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final List<QueueAcknowledgements> byLoop = new ArrayList<>();
    private final int maximumInFlight;

    /**
     * Feeds from a node's queues.
     *
     * @param eventLoops all of the node's, by their index
     * @param maximumInFlight how many messages a client is sent before it acknowledges some
     */
    public SessionFeeds(
            DeviceQueues queues,
            MessageLog log,
            SessionRegistry registry,
            BucketPositions positions,
            List<EventLoop> eventLoops,
            int maximumInFlight,
            MeterRegistry metrics) {
        this.queues = queues;
        this.log = log;
        this.registry = registry;
        this.positions = positions;
        this.maximumInFlight = maximumInFlight;
        for (EventLoop eventLoop : eventLoops) {
            byLoop.add(new QueueAcknowledgements(queues, eventLoop, metrics));
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

    /** A feed for a session that was just registered, and its reader. On the connection's event loop. */
    QueueReader open(
            PersistentSession session, Registration registered, EventLoop eventLoop, OutboundFeed.Listener listener) {
        QueueOwner owner =
                new QueueOwner(session.bucket(), session.clientId(), session.generation(), registered.epoch());
        // One that had no time to say may have sent as many as the window takes.
        long sentUpTo = registered.sentUpTo() == SessionRegistry.UNKNOWN
                ? Math.min(registered.tail(), registered.head() + maximumInFlight - 1)
                : registered.sentUpTo();
        DeviceFeed feed = new DeviceFeed(
                queues,
                log,
                byLoop.get(eventLoop.index()),
                owner,
                eventLoop,
                listener,
                registered.head(),
                registered.tail(),
                sentUpTo);
        return new QueueReader(eventLoop, registered.epoch(), feed);
    }
}

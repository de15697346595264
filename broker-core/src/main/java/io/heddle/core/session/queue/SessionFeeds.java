package io.heddle.core.session.queue;

import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Opens the queues and logs of connected persistent sessions. Thread-safe. */
public final class SessionFeeds {
    private static final int READ_LIMIT_SECONDS = 10;
    private static final Duration READ_LIMIT = Duration.ofSeconds(READ_LIMIT_SECONDS);
    private static final CompletableFuture<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedFuture(null);

    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final ApplicationSessions applications;
    private final RollbackDetector rollbackDetector;
    private final List<FeedSources> byLoop = new ArrayList<>();

    /**
     * @param bounds of every queue
     * @param eventLoops all of the node's, by their index
     * @param readAheadBytes the highest number of bytes that all feeds together hold
     * @param lease PUBREL to DEVICE clients is sent only while it is valid
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
            RoutingLease lease,
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
                    new ReadAhead(eventLoop.index(), Math.max(1, readAheadBytes / eventLoops.size()), metrics),
                    lease));
        }
    }

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

    /**
     * Tells whether {@link #open} may be called for a session: this node knows where the earlier connection of an APPLICATION client has
     * stopped. On the connection's event loop.
     *
     * @param type of the client; null if it gets no persistent session
     * @return completes on the loop; with false if the log does not answer within {@value #READ_LIMIT_SECONDS} seconds
     */
    public CompletionStage<Boolean> whenReadable(@Nullable ClientType type, EventLoop eventLoop) {
        CompletableFuture<Void> read = type == ClientType.APPLICATION
                ? applications.whenReadable().toCompletableFuture()
                : NOTHING_TO_WAIT_FOR;
        if (read.isDone()) {
            return CompletableFuture.completedStage(!read.isCompletedExceptionally());
        }
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        EventLoop.Timer limit = eventLoop.schedule(READ_LIMIT, () -> answer.complete(false));
        var _ = read.whenComplete((_, failure) -> eventLoop.execute(() -> {
            limit.cancel();
            answer.complete(failure == null);
        }));
        return answer;
    }

    /** Opens the queue or log of a session that was just registered. On the connection's event loop. After {@link #whenReadable}. */
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

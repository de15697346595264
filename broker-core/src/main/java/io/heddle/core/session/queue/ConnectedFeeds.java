package io.heddle.core.session.queue;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import io.heddle.core.delivery.bucket.remote.ConnectedQueues;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.QueueEnds;
import io.heddle.core.delivery.device.DeviceQueues.SessionKey;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the feeds of this node in step with their queues when the holder of their bucket has changed, or when the queues may have rolled
 * back: pushes of an earlier holder may be lost, and acknowledgements, too. Thread-safe; the passes belong to one event loop.
 *
 * <p>Requests for buckets are gathered for {@value #GATHER_MILLIS} ms. Then one pass over the sessions finds the feeds, in the background of
 * the loop. The tails of their queues are read with one call per {@value #SESSIONS_OF_A_CALL} feeds; a call that fails is repeated. Bound:
 * one request for each bucket, and one entry for each connected session.
 */
public final class ConnectedFeeds implements ConnectedQueues {
    private static final Logger log = LoggerFactory.getLogger(ConnectedFeeds.class);

    private static final int GATHER_MILLIS = 10;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(500);
    private static final int SESSIONS_OF_A_STEP = 500;
    private static final int SESSIONS_OF_A_CALL = 1_000;

    private final PersistentSessions sessions;
    private final DeviceQueues queues;
    private final BucketPositions positions;
    private final EventLoop loop;
    private final Counter compared;
    private final Counter behind;
    // Owned by the event loop.
    private Map<Integer, Request> requests = new HashMap<>();
    private boolean isScheduled;

    /**
     * What a pass does with the feeds of a bucket, besides comparing their tails.
     *
     * @param repeats whether they repeat their acknowledgements
     * @param viewId feeds of another view end; null if none ends
     */
    private record Request(boolean repeats, @Nullable Long viewId) {
        Request and(Request later) {
            return new Request(repeats || later.repeats, later.viewId == null ? viewId : later.viewId);
        }
    }

    private record Feed(PersistentSession session, Reader reader) {}

    /** @param loop runs the passes */
    public ConnectedFeeds(
            PersistentSessions sessions,
            DeviceQueues queues,
            BucketPositions positions,
            EventLoop loop,
            MeterRegistry metrics) {
        this.sessions = sessions;
        this.queues = queues;
        this.positions = positions;
        this.loop = loop;
        this.compared = metrics.counter("heddle.queues.tails.compared");
        this.behind = metrics.counter("heddle.queues.tails.behind");
    }

    @Override
    public @Nullable Reader reader(ClientId clientId, long generation) {
        return sessions.queued().reader(clientId, generation);
    }

    @Override
    public void endFeeds(int bucket, long viewId, long completeFrom) {
        var _ = sessions.queued().endFeeds(bucket, viewId, completeFrom);
    }

    @Override
    public void onPositioned(int bucket, long viewId, boolean isFirst) {
        request(bucket, new Request(true, isFirst ? Long.valueOf(viewId) : null));
    }

    /** This node has positioned a bucket for the first time of a holding. Its feeds have repeated their acknowledgements. */
    void onTaken(int bucket, long viewId) {
        request(bucket, new Request(false, viewId));
    }

    /**
     * The store of the queues answers again, and may have lost the latest acknowledgements. The holder of a bucket may not have noticed: of
     * buckets that this node does not hold, the feeds repeat them.
     */
    public void onStoreReturned() {
        for (int bucket = 0; bucket < positions.count(); bucket++) {
            if (!positions.isHeld(bucket)) {
                request(bucket, new Request(true, null));
            }
        }
    }

    private void request(int bucket, Request request) {
        if (sessions.idle() < sessions.all().size()) {
            loop.execute(() -> add(bucket, request, Duration.ofMillis(GATHER_MILLIS)));
        }
    }

    private void add(int bucket, Request request, Duration delay) {
        requests.merge(bucket, request, Request::and);
        if (!isScheduled) {
            isScheduled = true;
            loop.schedule(delay, this::pass);
        }
    }

    private void pass() {
        isScheduled = false;
        Map<Integer, Request> taken = requests;
        requests = new HashMap<>();
        Map<Integer, List<Feed>> found = new HashMap<>();
        Iterator<PersistentSession> all = sessions.all().iterator();
        loop.inBackground(() -> {
            for (int i = 0; i < SESSIONS_OF_A_STEP && all.hasNext(); i++) {
                PersistentSession session = all.next();
                Reader reader = session.reader();
                if (reader != null
                        && session.record().type() == ClientType.DEVICE
                        && taken.containsKey(session.bucket())) {
                    found.computeIfAbsent(session.bucket(), _ -> new ArrayList<>())
                            .add(new Feed(session, reader));
                }
            }
            if (all.hasNext()) {
                return true;
            }
            found.forEach((bucket, feeds) -> bringInStep(bucket, feeds, taken.get(bucket)));
            return false;
        });
    }

    private void bringInStep(int bucket, List<Feed> feeds, @Nullable Request request) {
        if (request == null) {
            return;
        }
        Long viewId = request.viewId();
        if (request.repeats() || viewId != null) {
            for (Feed feed : feeds) {
                Reader reader = feed.reader();
                reader.eventLoop().execute(() -> {
                    if (viewId != null) {
                        reader.onSequencesReset(viewId);
                    }
                    if (request.repeats()) {
                        reader.onQueueRolledBack();
                    }
                });
            }
        }
        for (int from = 0; from < feeds.size(); from += SESSIONS_OF_A_CALL) {
            compareTails(bucket, feeds.subList(from, Math.min(feeds.size(), from + SESSIONS_OF_A_CALL)));
        }
    }

    private void compareTails(int bucket, List<Feed> feeds) {
        List<SessionKey> keys = new ArrayList<>(feeds.size());
        for (Feed feed : feeds) {
            keys.add(new SessionKey(feed.session().clientId(), feed.session().generation()));
        }
        queues.tails(bucket, keys).whenComplete((ends, failure) -> {
            if (failure != null) {
                log.debug("Could not read the tails of queues; retrying, bucket={}", bucket, failure);
                loop.execute(() -> add(bucket, new Request(false, null), RETRY_PAUSE));
            } else {
                compare(feeds, ends);
            }
        });
    }

    private void compare(List<Feed> feeds, List<QueueEnds> ends) {
        compared.increment(feeds.size());
        for (int i = 0; i < feeds.size(); i++) {
            Reader reader = feeds.get(i).reader();
            long tail = ends.get(i).tail();
            reader.eventLoop().execute(() -> {
                if (reader.onTail(tail)) {
                    behind.increment();
                }
            });
        }
    }
}

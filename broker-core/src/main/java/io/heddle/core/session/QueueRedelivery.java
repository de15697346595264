package io.heddle.core.session;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.publish.PublishService;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends persistent sessions. The QoS 1 messages in the queue of a DEVICE client that shared subscriptions chose it for go to other members
 * first [MQTT-4.8.2-5]; the session stays held and stored until then, so that a restart begins again. Thread-safe, never blocks. What a
 * store or a full log holds up is retried by the housekeeping. Bound: {@value #MAXIMUM_TRANSFERS} queues at a time, each of which holds a
 * page; the other sessions wait in the order in which they ended.
 */
public final class QueueRedelivery {
    private static final int MAXIMUM_TRANSFERS = 16;

    private final PersistentSessions sessions;
    private final SubscriptionTrie trie;
    private final PublishService publishService;
    private final DeviceQueues queues;
    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final RollbackDetector watch;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final Queue<Runnable> paused = new ConcurrentLinkedQueue<>();
    private final Queue<QueueTransfer> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger transfers = new AtomicInteger();
    // Calls of proceed: the first one does the work of those that come meanwhile.
    private final AtomicInteger calls = new AtomicInteger();

    /** Of a node's sessions. */
    public QueueRedelivery(
            PersistentSessions sessions,
            SubscriptionTrie trie,
            PublishService publishService,
            DeviceQueues queues,
            SessionRegistry registry,
            BucketPositions positions,
            RollbackDetector watch,
            SteadyClock clock,
            SessionMetrics metrics) {
        this.sessions = sessions;
        this.trie = trie;
        this.publishService = publishService;
        this.queues = queues;
        this.registry = registry;
        this.positions = positions;
        this.watch = watch;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Ends a session that the caller holds.
     *
     * @return completes when it can't come back
     */
    CompletionStage<Void> end(PersistentSession session) {
        if (!session.isQueuedMember()) {
            return sessions.end(session);
        }
        leaveGroups(session);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        waiting.add(new QueueTransfer(this, session, () -> {
            sessions.end(session).whenComplete((_, failure) -> {
                if (failure == null) {
                    ended.complete(null);
                } else {
                    ended.completeExceptionally(failure);
                }
            });
            transfers.decrementAndGet();
            proceed();
        }));
        proceed();
        return ended;
    }

    /** Begins as many transfers as there may be. One that is over at once does not begin the next one on its own stack. */
    private void proceed() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            while (transfers.get() < MAXIMUM_TRANSFERS) {
                QueueTransfer next = waiting.poll();
                if (next == null) {
                    break;
                }
                transfers.incrementAndGet();
                next.begin();
            }
            seen = calls.addAndGet(-seen);
        } while (seen > 0);
    }

    /** Its subscriptions stay stored, so that a restart finds a member. */
    private void leaveGroups(PersistentSession session) {
        for (Subscription subscription : session.subscriptions().values()) {
            if (subscription.topicFilter().isShared()) {
                trie.remove(session.subscriber(), subscription.topicFilter());
            }
        }
    }

    /** Runs this with the next run of the housekeeping. */
    void pause(Runnable step) {
        paused.add(step);
    }

    /** Retries what was held up, at most so many steps. On the housekeeping thread. */
    void retry(int maximum) {
        int due = Math.min(maximum, paused.size());
        for (int i = 0; i < due; i++) {
            Runnable step = paused.poll();
            if (step != null) {
                step.run();
            }
        }
    }

    PersistentSessions sessions() {
        return sessions;
    }

    PublishService publishService() {
        return publishService;
    }

    DeviceQueues queues() {
        return queues;
    }

    SessionRegistry registry() {
        return registry;
    }

    BucketPositions positions() {
        return positions;
    }

    RollbackDetector watch() {
        return watch;
    }

    SteadyClock clock() {
        return clock;
    }

    SessionMetrics metrics() {
        return metrics;
    }
}

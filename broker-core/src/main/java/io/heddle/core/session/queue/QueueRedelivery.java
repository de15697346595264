package io.heddle.core.session.queue;

import io.heddle.core.Stages;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.bucket.RollbackDetector;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.publish.PublishService;
import io.heddle.core.session.outbound.SessionMetrics;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ends persistent sessions. QoS 1 messages in the queue of a DEVICE client that came through shared subscriptions are redelivered to other
 * members first [MQTT-4.8.2-5]. Until then the session stays acquired, and its shared subscriptions stay stored, so that the next holder of
 * the bucket repeats the redelivery.
 *
 * <p>Thread-safe, never blocks. The housekeeping retries steps that a store or a full log delays. Bound: {@value #MAXIMUM_TRANSFERS} queues at
 * a time, each of which holds a page; the other sessions wait in the order in which they ended.
 */
public final class QueueRedelivery {
    private static final int MAXIMUM_TRANSFERS = 16;

    private final PersistentSessions sessions;
    private final PublishService publishService;
    private final MessageLog log;
    private final DeviceQueues queues;
    private final SessionRegistry registry;
    private final BucketPositions positions;
    private final RollbackDetector rollbackDetector;
    private final SteadyClock clock;
    private final SessionMetrics metrics;
    private final Queue<Runnable> paused = new ConcurrentLinkedQueue<>();
    private final Queue<QueueTransfer> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger transfers = new AtomicInteger();
    // Concurrent calls of proceed: the first one does the work of the others.
    private final AtomicInteger calls = new AtomicInteger();
    private @Nullable Memberships memberships;

    public QueueRedelivery(
            PersistentSessions sessions,
            PublishService publishService,
            MessageLog log,
            DeviceQueues queues,
            SessionRegistry registry,
            BucketPositions positions,
            RollbackDetector rollbackDetector,
            SteadyClock clock,
            SessionMetrics metrics) {
        this.sessions = sessions;
        this.publishService = publishService;
        this.log = log;
        this.queues = queues;
        this.registry = registry;
        this.positions = positions;
        this.rollbackDetector = rollbackDetector;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Sets how sessions leave their groups at all nodes. Called before the first session ends. */
    public void memberships(Memberships ofAllNodes) {
        memberships = ofAllNodes;
    }

    Memberships memberships() {
        return Objects.requireNonNull(memberships, "the memberships are set with the registrar");
    }

    /**
     * Ends a session that the caller has acquired. On the loop that owns the session.
     *
     * @return completes when the end is durable, so that no restart restores the session
     */
    public CompletionStage<Void> end(PersistentSession session) {
        if (!session.isQueuedMember()) {
            return sessions.end(session);
        }
        CompletableFuture<Void> ended = new CompletableFuture<>();
        sessions.held().begin(session.bucket());
        waiting.add(new QueueTransfer(
                this,
                session,
                () -> {
                    session.registrarLoop().execute(() -> {
                        Stages.forward(sessions.end(session), ended);
                        sessions.held().end(session.bucket());
                    });
                    onTransferred();
                },
                () -> {
                    session.registrarLoop().execute(() -> abandon(session, ended));
                    onTransferred();
                }));
        proceed();
        return ended;
    }

    private void onTransferred() {
        transfers.decrementAndGet();
        proceed();
    }

    /** The next holder of the bucket ends the session. On the loop that owns the session. */
    private void abandon(PersistentSession session, CompletableFuture<Void> ended) {
        sessions.release(session);
        ended.completeExceptionally(new StoreUnavailableException("another node ends the session", null));
        sessions.held().end(session.bucket());
    }

    /** Starts as many transfers as allowed. A transfer that is over at once does not start the next one on its own stack. */
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

    /** Runs a step with the next run of the housekeeping. */
    void pause(Runnable step) {
        paused.add(step);
    }

    /** Runs up to this number of paused steps. On the housekeeping thread. */
    void retry(int maximum) {
        // Each of them has its turn, although the transfers of other buckets may be delayed.
        for (QueueTransfer transfer : List.copyOf(waiting)) {
            if (transfer.hasMoved() && waiting.remove(transfer)) {
                transfers.incrementAndGet();
                transfer.abandon();
            }
        }
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

    MessageLog log() {
        return log;
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

    RollbackDetector rollbackDetector() {
        return rollbackDetector;
    }

    SteadyClock clock() {
        return clock;
    }

    SessionMetrics metrics() {
        return metrics;
    }
}

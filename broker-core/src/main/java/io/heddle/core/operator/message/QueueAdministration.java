package io.heddle.core.operator.message;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.operator.query.Answers;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shows and clears the queues of DEVICE clients, on any node. Thread-safe; blocks its callers, so not on an event loop.
 *
 * <p>A queue is cleared by a command in the log of its bucket, because the queue is a view of that log: its holder applies the command in order, and
 * again when it rebuilds the queue. Connections need not be closed. Messages that a client's node has already read from the queue are
 * delivered.
 */
public final class QueueAdministration {
    private static final int MAXIMUM_VIEW_BYTES = 1 << 20;
    private static final Duration APPLIED_PAUSE = Duration.ofMillis(20);
    private static final Duration APPLIED_LIMIT = Duration.ofSeconds(3);

    private final PersistentSessions sessions;
    private final DeviceQueues queues;
    private final MessageLog log;
    private final BucketPositions positions;
    private final EventLoop loop;

    /** @param loop that waits until a command is applied */
    public QueueAdministration(
            PersistentSessions sessions,
            DeviceQueues queues,
            MessageLog log,
            BucketPositions positions,
            EventLoop loop) {
        this.sessions = sessions;
        this.queues = queues;
        this.log = log;
        this.positions = positions;
        this.loop = loop;
    }

    /**
     * Returns the size of a client's queue and some of its messages, which stay in it.
     *
     * @param from the lowest sequence number wanted; 0 for the beginning of the queue
     * @param maximumMessages 0 for the size only; the messages end after one megabyte, too
     * @return null if the client has no persistent session, or is an APPLICATION client
     * @throws StoreUnavailableException if Redis does not answer
     */
    public @Nullable QueueView view(ClientId clientId, long from, int maximumMessages) {
        PersistentSession session = find(clientId);
        return session == null ? null : view(session, from, maximumMessages);
    }

    private QueueView view(PersistentSession session, long from, int maximumMessages) {
        return Answers.await(
                queues.view(
                        session.bucket(),
                        session.clientId(),
                        session.generation(),
                        from,
                        maximumMessages,
                        MAXIMUM_VIEW_BYTES),
                "the queue of a client",
                StoreUnavailableException::redis);
    }

    private @Nullable PersistentSession find(ClientId clientId) {
        PersistentSession session = sessions.find(clientId);
        return session == null || session.record().type() != ClientType.DEVICE ? null : session;
    }

    /**
     * Removes all messages from a client's queue that were acknowledged to their publishers before the call, which is durable when this returns.
     *
     * @return null if the client has no persistent session, or is an APPLICATION client
     * @throws StoreUnavailableException if the command is not durable within ten seconds; it may still become so
     */
    public @Nullable ClearedQueue clear(ClientId clientId) {
        PersistentSession session = find(clientId);
        if (session == null) {
            return null;
        }
        int messages = view(session, 0, 0).messages();
        CompletableFuture<Void> committed = new CompletableFuture<>();
        BucketCommand command = new BucketCommand.Cleared(clientId, session.generation());
        log.commit(
                List.of(new LogAppend.ToBucket(session.bucket(), command)),
                new OrderFence(),
                new MessageLog.AppendCallback() {
                    @Override
                    public void onAppended() {
                        committed.complete(null);
                    }

                    @Override
                    public void onFailed(Throwable reason) {
                        committed.completeExceptionally(reason);
                    }
                });
        Answers.await(committed, "the command that clears a queue", StoreUnavailableException::kafka);
        return new ClearedQueue(messages, isApplied(session.bucket(), positions.appendedOffset(session.bucket())));
    }

    /** Waits until a bucket is applied up to an offset, for some time. */
    private boolean isApplied(int bucket, long offset) {
        CompletableFuture<Boolean> applied = new CompletableFuture<>();
        var _ = applied.completeOnTimeout(false, APPLIED_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        loop.execute(() -> ask(bucket, offset, applied));
        return Answers.await(applied, "the position of a bucket", StoreUnavailableException::new);
    }

    private void ask(int bucket, long offset, CompletableFuture<Boolean> applied) {
        if (applied.isDone()) {
            return;
        }
        queues.position(bucket).whenComplete((position, failure) -> {
            if (failure == null && position.appliedOffset() >= offset) {
                applied.complete(true);
            } else {
                loop.schedule(APPLIED_PAUSE, () -> ask(bucket, offset, applied));
            }
        });
    }
}

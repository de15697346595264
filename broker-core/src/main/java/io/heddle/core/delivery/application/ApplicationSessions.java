package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.OutboundQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of APPLICATION sessions and the progress of each session in its log. Thread-safe, never blocks. The holder of a bucket creates and
 * removes the logs of its sessions. A connection to any node reads its log and writes progress.
 */
public final class ApplicationSessions {
    private static final Logger log = LoggerFactory.getLogger(ApplicationSessions.class);

    /** Below the number of Packet Identifiers for messages of a log. */
    private static final int MAXIMUM_RECEIVED_SPAN = 30_000;

    private final ApplicationLogs logs;
    private final ProgressLog progress;
    private final RoutingLease lease;
    private final Counter skipped;

    /** @param progressLog the acknowledgements of the sessions */
    public ApplicationSessions(
            ApplicationLogs logs,
            ChangeLog<ProgressKey, Progress> progressLog,
            RoutingLease lease,
            MeterRegistry metrics) {
        this.logs = logs;
        this.progress = new ProgressLog(progressLog, logs::acknowledged, metrics);
        this.lease = lease;
        this.skipped = metrics.counter("heddle.messages.dropped", "reason", "cleared");
    }

    /**
     * Starts to follow the progress of all sessions. Called once.
     *
     * @param onLost receives one clause for the operator when the log cannot be followed any further
     */
    public void follow(Consumer<String> onLost) {
        progress.follow(onLost);
    }

    /** Returns the followed log of the progress. After {@link #follow}. */
    public FollowedChanges<ProgressKey, Progress> followed() {
        return progress.followedChanges();
    }

    private Map<ClientId, Long> lowest(Map<ClientId, Long> generations) {
        Map<ClientId, Long> lowest = new HashMap<>();
        generations.forEach((clientId, generation) ->
                lowest.put(clientId, progress.find(clientId, generation).lowest()));
        return lowest;
    }

    /**
     * @param lowest as it was before the logs were asked for their ends
     * @param ends one above the highest sequence number of each log
     */
    private void check(Map<ClientId, Long> generations, Map<ClientId, Long> lowest, Map<ClientId, Long> ends) {
        ends.forEach((clientId, end) -> {
            long generation = generations.getOrDefault(clientId, 0L);
            long acknowledged = lowest.getOrDefault(clientId, 0L);
            if (acknowledged > end) {
                log.error(
                        "The log of an APPLICATION session was lost or replaced: it ends at sequence number {}, but"
                                + " the client has acknowledged everything below {}. The session continues with all"
                                + " messages in the log, clientId={}",
                        end,
                        acknowledged,
                        clientId);
                progress.restart(clientId, generation);
            } else {
                logs.acknowledged(clientId, generation, acknowledged);
            }
        });
    }

    /**
     * This node decides about the clients of a bucket from now on: finds or creates the logs of their sessions, and removes logs and progress
     * of ended ones some time later. Called when the sessions of the bucket are read to the end of their log, and no other node can end or
     * begin one.
     *
     * @param clients returns whether a client belongs to the bucket
     * @param generations of all APPLICATION sessions of the bucket, by their clients
     * @return completes when messages can be appended for all of them; fails with {@link io.heddle.core.StoreUnavailableException}, and
     *     may be repeated
     */
    public CompletionStage<Void> take(int bucket, Predicate<ClientId> clients, Map<ClientId, Long> generations) {
        progress.removeObsolete(clients, generations);
        Map<ClientId, Long> lowest = lowest(generations);
        return logs.take(bucket, generations).thenAccept(ends -> check(generations, lowest, ends));
    }

    /**
     * Another node is about to decide about the clients of a bucket.
     *
     * @return completes when this node creates and removes no log of the bucket any more
     */
    public CompletionStage<Void> release(int bucket) {
        return logs.release(bucket);
    }

    /**
     * The log of the sessions says that a session has ended, about which another node decides. Its messages are not needed any more.
     *
     * @return the number of messages that this node was about to append
     */
    public int forget(ClientId clientId, long generation) {
        return logs.forget(clientId, generation);
    }

    /**
     * Completes when a connection to this node may {@link #open} a session that an earlier connection has left: this node knows the progress
     * that the earlier connection has stored. Fails with {@link io.heddle.core.StoreUnavailableException} if the log does not answer.
     */
    public CompletionStage<Void> whenReadable() {
        return progress.whenRead();
    }

    /**
     * Creates the log of a new session. On the node that decides about the client.
     *
     * @return completes when messages can be appended for it; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    public CompletionStage<Void> begin(ClientId clientId, long generation) {
        return logs.create(clientId, generation).thenCompose(first -> {
            // Messages below belong to an earlier session.
            logs.acknowledged(clientId, generation, first);
            return progress.begin(clientId, generation, first);
        });
    }

    /**
     * Ends a session, or one whose start has failed.
     *
     * @return the approximate number of undelivered messages
     */
    public CompletionStage<Long> end(ClientId clientId, long generation) {
        Progress last = progress.end(clientId, generation);
        return logs.end(clientId, generation, last == null ? Long.MAX_VALUE : last.lowest());
    }

    /**
     * Changes the position of a session that no connection has, and that none can get before this completes. On the node that decides about
     * the client. Messages below the position are not deleted before the client acknowledges them again.
     *
     * @param epoch above those of all earlier connections, and in the session's record
     * @return completes when the change is durable; null if PUBREL is due for a message too far behind the position, whose Packet Identifier
     *     would be used twice. Fails with {@link io.heddle.core.StoreUnavailableException}; the change may take effect then, unless the client
     *     connects before
     */
    public CompletionStage<@Nullable PositionChange> seek(
            ClientId clientId, long generation, long epoch, LogPosition position) {
        return whenReadable()
                .thenCompose(_ -> logs.keep(clientId, generation))
                .thenCompose(_ -> logs.find(clientId, position))
                .thenCompose(sequence -> move(new ProgressKey(clientId, generation, epoch), sequence));
    }

    private CompletionStage<@Nullable PositionChange> move(ProgressKey key, long sequence) {
        Progress before = progress.find(key.clientId(), key.generation());
        Progress after = before.movedTo(sequence);
        if (after.received().stream().anyMatch(each -> each - after.lowest() >= MAXIMUM_RECEIVED_SPAN)) {
            logs.acknowledged(key.clientId(), key.generation(), before.lowest());
            return CompletableFuture.completedStage(null);
        }
        return progress.write(key, after).thenApply(_ -> {
            logs.acknowledged(key.clientId(), key.generation(), after.lowest());
            skipped.increment((double) Math.max(0, sequence - before.lowest()));
            return new PositionChange(before.lowest(), after.lowest());
        });
    }

    /** Returns the lowest sequence number that a session has not acknowledged, as this node knows it. Any thread. */
    public long position(ClientId clientId, long generation) {
        return progress.find(clientId, generation).lowest();
    }

    /** Returns the extents of some logs, without those that do not exist. */
    public CompletionStage<Map<ClientId, LogExtent>> extents(Collection<ClientId> clientIds) {
        return logs.extents(clientIds);
    }

    /**
     * Creates a feed for a connection that owns a session. After {@link #whenReadable}.
     *
     * @param maximumSpan the maximum distance between two unacknowledged sequence numbers in flight
     */
    public ApplicationFeed open(
            ProgressKey key, long maximumSpan, EventLoop eventLoop, OutboundQueue.Listener listener) {
        return new ApplicationFeed(
                logs,
                progress,
                key,
                progress.find(key.clientId(), key.generation()),
                maximumSpan,
                eventLoop,
                lease,
                listener);
    }
}

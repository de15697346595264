package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.OutboundQueue;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logs of a node's APPLICATION sessions and the progress of each session in its log. Thread-safe; only {@link #restore} blocks. */
public final class ApplicationSessions {
    private static final Logger log = LoggerFactory.getLogger(ApplicationSessions.class);

    private final ApplicationLogs logs;
    private final ProgressLog progress;
    private final RoutingLease lease;

    /** @param progressLog the acknowledgements of the sessions */
    public ApplicationSessions(
            ApplicationLogs logs,
            ChangeLog<ProgressKey, Progress> progressLog,
            RoutingLease lease,
            MeterRegistry metrics) {
        this.logs = logs;
        this.progress = new ProgressLog(progressLog, metrics);
        this.lease = lease;
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

    /**
     * Restores the logs of these sessions and takes their followed progress. Blocks; for a node that decides about the sessions from now
     * on.
     *
     * @param generations of all APPLICATION sessions, by their clients
     * @throws io.heddle.core.StoreUnavailableException when the stores do not answer
     */
    public void restore(Map<ClientId, Long> generations) {
        progress.restore(generations);
        logs.restore(generations).forEach((clientId, end) -> {
            long generation = generations.getOrDefault(clientId, 0L);
            long lowest = progress.find(clientId, generation).lowest();
            if (lowest > end) {
                log.error(
                        "The log of an APPLICATION session was lost or replaced: it ends at sequence number {}, but the client has"
                                + " acknowledged everything below {}. The session continues with all messages in the log, clientId={}",
                        end,
                        lowest,
                        clientId);
                progress.begin(clientId, generation, 0);
            } else {
                logs.acknowledged(clientId, generation, lowest);
            }
        });
    }

    /**
     * Creates the log of a new session.
     *
     * @return completes when messages can be appended for it; fails with {@link io.heddle.core.StoreUnavailableException}
     */
    public CompletionStage<Void> begin(ClientId clientId, long generation) {
        return logs.create(clientId, generation).thenAccept(first -> {
            progress.begin(clientId, generation, first);
            // Messages below belong to an earlier session.
            logs.acknowledged(clientId, generation, first);
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
     * Creates a feed for a connection that owns a session.
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

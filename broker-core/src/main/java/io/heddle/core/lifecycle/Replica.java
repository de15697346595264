package io.heddle.core.lifecycle;

import io.heddle.core.changelog.FollowedPositions;
import io.heddle.core.delivery.application.ApplicationSessions;
import io.heddle.core.retained.RetainedReplica;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.session.persistent.SessionReplica;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions, subscriptions, retained messages and progress of the cluster in the memory of this node, read from their logs. The starting
 * thread calls all methods; event loops and the threads of the logs apply the records.
 */
public final class Replica {
    private static final Logger log = LoggerFactory.getLogger(Replica.class);

    private final SessionReplica sessions;
    private final RetainedReplica retained;
    private final ApplicationSessions applications;
    private final PersistentSessions persistent;
    private final Consumer<String> onLost;

    /** @param onLost receives one clause for the operator, once or more, when a log cannot be followed any further; the node is over */
    Replica(
            SessionReplica sessions,
            RetainedReplica retained,
            ApplicationSessions applications,
            PersistentSessions persistent,
            Consumer<String> onLost) {
        this.sessions = sessions;
        this.retained = retained;
        this.applications = applications;
        this.persistent = persistent;
        this.onLost = onLost;
    }

    /** Sets the listener of how far the log of sessions and subscriptions is applied. Before {@link #follow}. */
    public void onSessionsApplied(FollowedPositions.Listener listener) {
        sessions.positions().listener(listener);
    }

    /** Starts to follow the logs. Does not block. Called once. */
    public void follow() {
        sessions.follow();
        retained.follow();
        applications.follow(onLost);
        var _ = CompletableFuture.allOf(
                        sessions.positions().whenInStep().toCompletableFuture(),
                        retained.positions().whenInStep().toCompletableFuture(),
                        applications.followed().positions().whenInStep().toCompletableFuture())
                .thenRun(() -> log.info(
                        "This node is in step with the logs of sessions, subscriptions and retained messages:"
                                + " sessions={}",
                        persistent.all().size()));
    }

    /**
     * Reads on to the ends that the logs have now.
     *
     * @return completes when all their records are applied; fails with {@link io.heddle.core.StoreUnavailableException} if a log does not
     *     report its end, and the caller may retry
     */
    public CompletionStage<Void> readToEnds() {
        return CompletableFuture.allOf(
                sessions.readToEnd(persistent.held().all()).toCompletableFuture(),
                retained.readToEnd().toCompletableFuture(),
                applications.followed().readToEnd().toCompletableFuture());
    }

    /** Returns the retained messages. */
    RetainedReplica retained() {
        return retained;
    }

    /** Returns the sessions and subscriptions, whose buckets are taken and released one by one. */
    SessionReplica sessions() {
        return sessions;
    }

    /** Returns a number that grows with each applied record. */
    public long progress() {
        return sessions.positions().sum()
                + retained.positions().sum()
                + applications.followed().positions().sum();
    }

    /** Returns the number of offsets that {@link #readToEnds} still awaits. */
    public long missing() {
        return sessions.positions().missing()
                + retained.positions().missing()
                + applications.followed().positions().missing();
    }
}

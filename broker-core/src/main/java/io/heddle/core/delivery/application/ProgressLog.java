package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.client.ClientId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of all APPLICATION sessions, in memory and in the log {@code heddle.progress}. Thread-safe. Bound: one entry for each session,
 * and one for each record of the log that no node has removed.
 *
 * <p>All nodes write: each knows what it has read from the log. Each connection writes under a key of its own, and the latest connection
 * counts, in whatever order the records arrive.
 */
final class ProgressLog {
    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private final ChangeLog<ProgressKey, Progress> changes;
    private final Acknowledged acknowledged;
    private final FollowedProgress followed = new FollowedProgress();
    private final Counter written;
    private volatile @Nullable FollowedChanges<ProgressKey, Progress> followedChanges;

    /** Learns of acknowledgements that the log contains. */
    @FunctionalInterface
    interface Acknowledged {
        /** Everything below this sequence number of a session is acknowledged. On the thread of the log. */
        void below(ClientId clientId, long generation, long lowest);
    }

    ProgressLog(ChangeLog<ProgressKey, Progress> changes, Acknowledged acknowledged, MeterRegistry metrics) {
        this.changes = changes;
        this.acknowledged = acknowledged;
        this.written = metrics.counter("heddle.applications.progress");
    }

    /** Starts to follow the log. Called once. */
    void follow(Consumer<String> onLost) {
        FollowedChanges<ProgressKey, Progress> following =
                new FollowedChanges<>(changes, (change, _) -> onFollowed(change.key(), change.value()), onLost);
        followedChanges = following;
        following.follow();
    }

    private void onFollowed(ProgressKey key, @Nullable Progress progress) {
        followed.apply(key, progress);
        if (progress != null) {
            // A late record of an earlier connection does not count.
            Progress latest = followed.latest(key.clientId(), key.generation());
            acknowledged.below(key.clientId(), key.generation(), latest == null ? progress.lowest() : latest.lowest());
        }
    }

    /** The log as it is followed. After {@link #follow}. */
    FollowedChanges<ProgressKey, Progress> followedChanges() {
        FollowedChanges<ProgressKey, Progress> following = followedChanges;
        if (following == null) {
            throw new IllegalStateException("follow the log before it is read on");
        }
        return following;
    }

    /** Completes when this node knows everything that was durable at the time of the call. Fails if the log does not answer. */
    CompletionStage<Void> whenRead() {
        // A connection removes the record of the one before when its own is durable. They are in different partitions,
        // so one
        // reading may find the removal and miss the record. The second one finds it.
        FollowedChanges<ProgressKey, Progress> following = followedChanges();
        return following.readToEnd().thenCompose(_ -> following.readToEnd());
    }

    /**
     * Removes the records of some clients from the log that no connection needs any more. A session that has ended never returns, so a removal
     * may arrive late.
     *
     * @param generations of all sessions of the clients
     */
    void removeObsolete(Predicate<ClientId> clients, Map<ClientId, Long> generations) {
        followed.takeObsolete(clients, generations).forEach(this::remove);
    }

    // Sessions.

    /**
     * Starts a session, whose messages have this sequence number or higher ones.
     *
     * @return completes when the connections of all nodes find this
     */
    CompletionStage<Void> begin(ClientId clientId, long generation, long first) {
        return changes.append(new ProgressKey(clientId, generation, 0), Progress.startingAt(first));
    }

    /** The log of a session has lost its messages: the session gets everything that follows. */
    void restart(ClientId clientId, long generation) {
        followed.takeUpTo(clientId, generation).forEach(this::remove);
    }

    /** Returns the progress of a session. A session without known progress gets everything in its log. */
    Progress find(ClientId clientId, long generation) {
        Progress found = followed.latest(clientId, generation);
        return found == null ? new Progress(0, List.of(), List.of(), Progress.UNKNOWN) : found;
    }

    /** Writes the progress of a connection. Completes when it is durable; the record of an earlier connection is removed then. */
    CompletionStage<Void> write(ProgressKey key, Progress progress) {
        written.increment();
        return changes.append(key, progress)
                .thenAccept(_ -> followed.takeBelow(key).forEach(this::remove));
    }

    /** Removes an ended session. Returns its progress, or null when it is unknown. */
    @Nullable
    Progress end(ClientId clientId, long generation) {
        Progress last = followed.latest(clientId, generation);
        followed.takeUpTo(clientId, generation).forEach(this::remove);
        return last;
    }

    private void remove(ProgressKey key) {
        changes.append(key, null).whenComplete((_, failure) -> {
            if (failure != null) {
                // A record of an earlier connection or session is not read again, and the node that next takes its
                // client removes it.
                log.debug("Cannot remove an obsolete progress record; it is removed later, key={}", key, failure);
            }
        });
    }
}

package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.client.ClientId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of all APPLICATION sessions, in memory and in the log {@code heddle.progress}. Thread-safe. Bound: one entry for each session,
 * and one for each record of the log that no node has removed.
 *
 * <p>States: followed (another node serves) → held (only this node writes: changes are visible at once, and durable when their append
 * completes); or followed → shared (several nodes write: this one knows what it has read from the log). Each connection writes under a key
 * of its own, and the latest connection counts, in whatever order the records arrive.
 */
final class ProgressLog {
    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private static final CompletionStage<Void> NOTHING_TO_WAIT_FOR = CompletableFuture.completedStage(null);

    private final ChangeLog<ProgressKey, Progress> changes;
    private final Acknowledged acknowledged;
    // While this node does not share the log with others.
    private final ConcurrentHashMap<ClientId, Known> known = new ConcurrentHashMap<>();
    // Until this node holds the log.
    private final FollowedProgress followed = new FollowedProgress();
    private final Counter written;
    private volatile @Nullable FollowedChanges<ProgressKey, Progress> followedChanges;
    private volatile boolean isShared;

    /**
     * The latest progress of a session.
     *
     * @param logged whether it is or will be in the log
     */
    private record Known(ProgressKey key, Progress progress, boolean logged) {}

    /** Learns of acknowledgements that the log contains. */
    @FunctionalInterface
    interface Acknowledged {
        /** Everything below this sequence number of a session is acknowledged. On the thread of the log. */
        void below(ClientId clientId, long generation, long lowest);
    }

    /** @param acknowledged is called while the log is shared */
    ProgressLog(ChangeLog<ProgressKey, Progress> changes, Acknowledged acknowledged, MeterRegistry metrics) {
        this.changes = changes;
        this.acknowledged = acknowledged;
        this.written = metrics.counter("heddle.applications.progress");
    }

    /** Starts to follow the log. Called once. */
    void follow(Consumer<String> onLost) {
        FollowedChanges<ProgressKey, Progress> following = new FollowedChanges<>(changes, this::onFollowed, onLost);
        followedChanges = following;
        following.follow();
    }

    private void onFollowed(ProgressKey key, @Nullable Progress progress) {
        followed.apply(key, progress);
        if (progress != null && isShared) {
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

    // One writer.

    /**
     * Takes the followed progress of these sessions and removes all other progress from the log. This node holds the log from now on.
     *
     * @param generations of the sessions, by their clients
     */
    void restore(Map<ClientId, Long> generations) {
        followedChanges().hold();
        removeObsolete(_ -> true, generations);
        generations.forEach((clientId, generation) -> {
            ProgressKey key = followed.latestKey(clientId, generation);
            Progress progress = followed.latest(clientId, generation);
            if (key != null && progress != null) {
                known.put(clientId, new Known(key, progress, true));
            }
        });
        followed.clear();
    }

    private static Known later(Known one, Known other) {
        ProgressKey first = one.key();
        ProgressKey second = other.key();
        boolean isLater = second.generation() == first.generation()
                ? second.epoch() >= first.epoch()
                : second.generation() > first.generation();
        return isLater ? other : one;
    }

    // Several writers.

    /** Several nodes write from now on. Before the first connection. */
    void share() {
        isShared = true;
    }

    boolean isShared() {
        return isShared;
    }

    /**
     * Completes when this node knows everything that was durable at the time of the call; at once while no other node writes. Fails if the log
     * does not answer.
     */
    CompletionStage<Void> whenRead() {
        if (!isShared) {
            return NOTHING_TO_WAIT_FOR;
        }
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
        ProgressKey key = new ProgressKey(clientId, generation, 0);
        if (isShared) {
            return changes.append(key, Progress.startingAt(first));
        }
        Known before = known.put(clientId, new Known(key, Progress.startingAt(first), false));
        if (before != null && before.logged()) {
            remove(before.key());
        }
        return NOTHING_TO_WAIT_FOR;
    }

    /** The log of a session has lost its messages: the session gets everything that follows. */
    void restart(ClientId clientId, long generation) {
        if (isShared) {
            followed.takeUpTo(clientId, generation).forEach(this::remove);
        } else {
            var _ = begin(clientId, generation, 0);
        }
    }

    /** Returns the progress of a session. A session without known progress gets everything in its log. */
    Progress find(ClientId clientId, long generation) {
        Progress found = isShared ? followed.latest(clientId, generation) : findKnown(clientId, generation);
        return found == null ? new Progress(0, List.of(), List.of(), Progress.UNKNOWN) : found;
    }

    private @Nullable Progress findKnown(ClientId clientId, long generation) {
        Known current = known.get(clientId);
        return current != null && current.key().generation() == generation ? current.progress() : null;
    }

    /** Writes the progress of a connection. Completes when it is durable; the record of an earlier connection is removed then. */
    CompletionStage<Void> write(ProgressKey key, Progress progress) {
        written.increment();
        if (isShared) {
            return changes.append(key, progress)
                    .thenAccept(_ -> followed.takeBelow(key).forEach(this::remove));
        }
        Known before = known.get(key.clientId());
        known.merge(key.clientId(), new Known(key, progress, true), ProgressLog::later);
        CompletionStage<Void> appended = changes.append(key, progress);
        if (before == null
                || !before.logged()
                || before.key().equals(key)
                || before.key().epoch() > key.epoch()) {
            return appended;
        }
        return appended.thenAccept(_ -> remove(before.key()));
    }

    /** Removes an ended session. Returns its progress, or null when it is unknown. */
    @Nullable
    Progress end(ClientId clientId, long generation) {
        if (isShared) {
            Progress last = followed.latest(clientId, generation);
            followed.takeUpTo(clientId, generation).forEach(this::remove);
            return last;
        }
        Known ended = known.get(clientId);
        if (ended == null || ended.key().generation() != generation || !known.remove(clientId, ended)) {
            return null;
        }
        if (ended.logged()) {
            remove(ended.key());
        }
        return ended.progress();
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

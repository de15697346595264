package io.heddle.core.delivery.application;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.FollowedChanges;
import io.heddle.core.client.ClientId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of all APPLICATION sessions, in memory and in the log {@code heddle.progress}. Thread-safe. Changes are visible at once and
 * durable when their append completes. Bound: one entry
 * for each session; while another node serves, one for each record that it has not removed.
 */
final class ProgressLog {
    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private final ChangeLog<ProgressKey, Progress> changes;
    private final ConcurrentHashMap<ClientId, Known> known = new ConcurrentHashMap<>();
    // The log as it is followed, until this node holds it. In the order of their first records, so that obsolete ones
    // are removed in it.
    private final Map<ProgressKey, Progress> followed = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Counter written;
    private volatile @Nullable FollowedChanges<ProgressKey, Progress> followedChanges;

    /**
     * The latest progress of a session.
     *
     * @param logged whether it is or will be in the log
     */
    private record Known(ProgressKey key, Progress progress, boolean logged) {}

    ProgressLog(ChangeLog<ProgressKey, Progress> changes, MeterRegistry metrics) {
        this.changes = changes;
        this.written = metrics.counter("heddle.applications.progress");
    }

    /** Starts to follow the log. Called once. */
    void follow(Consumer<String> onLost) {
        FollowedChanges<ProgressKey, Progress> following = new FollowedChanges<>(changes, this::onFollowed, onLost);
        followedChanges = following;
        following.follow();
    }

    private void onFollowed(ProgressKey key, @Nullable Progress progress) {
        if (progress == null) {
            followed.remove(key);
        } else {
            followed.put(key, progress);
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

    /**
     * Takes the followed progress of these sessions and removes all other progress from the log. This node holds the log from now on.
     *
     * @param generations of the sessions, by their clients
     */
    void restore(Map<ClientId, Long> generations) {
        followedChanges().hold();
        followed.forEach((key, progress) -> {
            if (Long.valueOf(key.generation()).equals(generations.get(key.clientId()))) {
                known.merge(key.clientId(), new Known(key, progress, true), ProgressLog::later);
            }
        });
        for (ProgressKey key : followed.keySet()) {
            Known current = known.get(key.clientId());
            if (current == null || !current.key().equals(key)) {
                remove(key);
            }
        }
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

    /** Starts a session, whose messages have this sequence number or higher ones. */
    void begin(ClientId clientId, long generation, long first) {
        Known started = new Known(new ProgressKey(clientId, generation, 0), Progress.startingAt(first), false);
        Known before = known.put(clientId, started);
        if (before != null && before.logged()) {
            remove(before.key());
        }
    }

    /** Returns the progress of a session. A session without known progress gets everything in its log. */
    Progress find(ClientId clientId, long generation) {
        Known current = known.get(clientId);
        return current != null && current.key().generation() == generation
                ? current.progress()
                : new Progress(0, List.of(), List.of(), Progress.UNKNOWN);
    }

    /** Writes the progress of a connection. Completes when it is durable; the record of an earlier connection is removed then. */
    CompletionStage<Void> write(ProgressKey key, Progress progress) {
        Known before = known.get(key.clientId());
        known.merge(key.clientId(), new Known(key, progress, true), ProgressLog::later);
        written.increment();
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
                // A record of an earlier connection or session is not read again, and the next start removes it.
                log.debug("Cannot remove an obsolete progress record; the next start removes it, key={}", key, failure);
            }
        });
    }
}

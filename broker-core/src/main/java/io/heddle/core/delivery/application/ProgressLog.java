package io.heddle.core.delivery.application;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of all APPLICATION sessions: the memory of {@code heddle.progress}. Thread-safe. Memory first; durable when an append
 * says so. Bound: one entry for each session.
 */
final class ProgressLog {
    private static final Logger log = LoggerFactory.getLogger(ProgressLog.class);

    private final ChangeLog<ProgressKey, Progress> changes;
    private final ConcurrentHashMap<ClientId, Known> known = new ConcurrentHashMap<>();
    private final Counter written;

    /**
     * The last that is known of a session.
     *
     * @param logged whether it stands in the log, or will
     */
    private record Known(ProgressKey key, Progress progress, boolean logged) {}

    ProgressLog(ChangeLog<ProgressKey, Progress> changes, MeterRegistry metrics) {
        this.changes = changes;
        this.written = metrics.counter("heddle.applications.progress");
    }

    /**
     * Knows again how far these sessions are, and forgets all others. Blocks.
     *
     * @param generations of the sessions, by their clients
     */
    void replay(Map<ClientId, Long> generations) {
        Set<ProgressKey> found = new HashSet<>();
        changes.replay(
                (key, progress) -> {
                    if (progress == null) {
                        found.remove(key);
                        return;
                    }
                    found.add(key);
                    if (Long.valueOf(key.generation()).equals(generations.get(key.clientId()))) {
                        known.merge(key.clientId(), new Known(key, progress, true), ProgressLog::later);
                    }
                },
                (read, of) -> log.info("Replaying the progress of applications: {} of {} records", read, of));
        for (ProgressKey key : found) {
            Known current = known.get(key.clientId());
            if (current == null || !current.key().equals(key)) {
                forget(key);
            }
        }
    }

    private static Known later(Known one, Known other) {
        ProgressKey first = one.key();
        ProgressKey second = other.key();
        boolean isLater = second.generation() == first.generation()
                ? second.epoch() >= first.epoch()
                : second.generation() > first.generation();
        return isLater ? other : one;
    }

    /** A session begins, whose messages come from this number on. */
    void begin(ClientId clientId, long generation, long first) {
        Known begun = new Known(new ProgressKey(clientId, generation, 0), Progress.beginningAt(first), false);
        Known before = known.put(clientId, begun);
        if (before != null && before.logged()) {
            forget(before.key());
        }
    }

    /** How far a session is. One of which nothing is known may find everything that its log has. */
    Progress find(ClientId clientId, long generation) {
        Known current = known.get(clientId);
        return current != null && current.key().generation() == generation
                ? current.progress()
                : new Progress(0, List.of(), List.of(), Progress.UNKNOWN);
    }

    /** How far a connection is now. Completes when that is durable; what earlier connections wrote goes then. */
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
        return appended.thenAccept(_ -> forget(before.key()));
    }

    /** A session is over. Says how far it was, or null when nobody knows. */
    @Nullable
    Progress end(ClientId clientId, long generation) {
        Known ended = known.get(clientId);
        if (ended == null || ended.key().generation() != generation || !known.remove(clientId, ended)) {
            return null;
        }
        if (ended.logged()) {
            forget(ended.key());
        }
        return ended.progress();
    }

    private void forget(ProgressKey key) {
        changes.append(key, null).whenComplete((_, failure) -> {
            if (failure != null) {
                // It is of an earlier connection or session, which nobody asks for, and goes at the next start.
                log.debug("{} stays in the log until the next start", key, failure);
            }
        });
    }
}

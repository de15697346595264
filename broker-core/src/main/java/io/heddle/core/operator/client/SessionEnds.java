package io.heddle.core.operator.client;

import io.heddle.core.session.SessionAdministration;
import io.heddle.core.session.SessionAdministration.Ended;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Ends the sessions of clients that are away. Blocks. Bounds: {@value #AT_ONCE} sessions end at once, and none begins to end after {@link
 * #LIMIT} or after an end without an answer, for which ten seconds are waited.
 */
final class SessionEnds {
    static final int AT_ONCE = 64;
    static final Duration LIMIT = Duration.ofSeconds(20);

    private final PersistentSessions persistent;
    private final SessionAdministration administration;
    private final LongSupplier nanoTime;

    SessionEnds(PersistentSessions persistent, SessionAdministration administration, LongSupplier nanoTime) {
        this.persistent = persistent;
        this.administration = administration;
        this.nanoTime = nanoTime;
    }

    EndedSessions end(ClientFilter filter, boolean isDryRun) {
        long startNanos = nanoTime.getAsLong();
        int sessions = 0;
        String after = null;
        List<String> connected = new ArrayList<>();
        do {
            List<PersistentSession> found = new ArrayList<>();
            ClientQuery query = new ClientQuery(filter, after, false, isDryRun ? ClientQuery.MAXIMUM_LIMIT : AT_ONCE);
            after = OrderedWalk.walk(persistent.inOrder().all(), query, filter::matchesAway, found::add);
            List<String> unknown = new ArrayList<>();
            sessions += isDryRun ? found.size() : end(found, unknown, connected);
            if (!unknown.isEmpty()) {
                return new EndedSessions(sessions, false, unknown, connected);
            }
        } while (after != null && nanoTime.getAsLong() - startNanos < LIMIT.toNanos());
        return new EndedSessions(sessions, after == null, List.of(), connected);
    }

    private int end(List<PersistentSession> found, List<String> unknown, List<String> connected) {
        Map<String, CompletableFuture<Ended>> ends = new LinkedHashMap<>();
        for (PersistentSession each : found) {
            // The registrar decides whether the client has connected since.
            ends.put(
                    each.clientId().value(),
                    administration.endIfAway(each.clientId(), each.record()).toCompletableFuture());
        }
        int ended = 0;
        for (Map.Entry<String, CompletableFuture<Ended>> each : ends.entrySet()) {
            switch (each.getValue().join()) {
                case Ended.Done _ -> ended++;
                case Ended.Unknown _ -> unknown.add(each.getKey());
                case Ended.Connected _ -> {
                    if (connected.size() < EndedSessions.MAXIMUM_CONNECTED) {
                        connected.add(each.getKey());
                    }
                }
            }
        }
        return ended;
    }
}

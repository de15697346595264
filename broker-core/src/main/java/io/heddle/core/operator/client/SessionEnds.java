package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
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
import org.jspecify.annotations.Nullable;

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
        do {
            List<PersistentSession> found = new ArrayList<>();
            ClientQuery query = new ClientQuery(filter, after, false, isDryRun ? ClientQuery.MAXIMUM_LIMIT : AT_ONCE);
            after = OrderedWalk.walk(persistent.inOrder().all(), query, filter::matchesAway, found::add);
            List<String> unknown = new ArrayList<>();
            sessions += isDryRun ? found.size() : end(found, filter, unknown);
            if (!unknown.isEmpty()) {
                return new EndedSessions(sessions, false, unknown);
            }
        } while (after != null && nanoTime.getAsLong() - startNanos < LIMIT.toNanos());
        return new EndedSessions(sessions, after == null, List.of());
    }

    private int end(List<PersistentSession> found, ClientFilter filter, List<String> unknown) {
        Map<String, CompletableFuture<Ended>> ends = new LinkedHashMap<>();
        for (PersistentSession each : found) {
            ClientId clientId = each.clientId();
            // The client may have connected, or its session may have ended, since it was found.
            @Nullable PersistentSession current = persistent.find(clientId);
            if (current != null && filter.matchesAway(current)) {
                ends.put(clientId.value(), administration.end(clientId).toCompletableFuture());
            }
        }
        int ended = 0;
        for (Map.Entry<String, CompletableFuture<Ended>> each : ends.entrySet()) {
            if (each.getValue().join() instanceof Ended.Done) {
                ended++;
            } else {
                unknown.add(each.getKey());
            }
        }
        return ended;
    }
}

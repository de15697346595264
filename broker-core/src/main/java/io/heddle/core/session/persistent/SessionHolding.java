package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What changes for the sessions of a bucket when this node takes or releases it. Goes through all sessions on the calling thread, and changes
 * those of the buckets on the loops that own them. Has no state.
 */
public final class SessionHolding {
    private static final int SESSIONS_OF_A_TASK = 500;

    private final PersistentSessions sessions;
    private final SessionDeadlines deadlines;
    private final WaitingWills waitingWills;

    SessionHolding(PersistentSessions sessions, SessionDeadlines deadlines, WaitingWills waitingWills) {
        this.sessions = sessions;
        this.deadlines = deadlines;
        this.waitingWills = waitingWills;
    }

    /**
     * This node decides about the sessions of these held buckets from now on. A session whose client is away expires in time. One whose
     * connection a living node has is acquired. One that was connected to a node that has ended is disconnected, which starts the delay of
     * its will. The loops that own the sessions do so before they run a task that is executed afterwards.
     *
     * @param isConnected tells, on the loop of a session, whether the node with this incarnation still has its connections
     */
    public void serve(Set<Integer> buckets, Predicate<String> isConnected) {
        for (PersistentSession session : sessions.all()) {
            if (!buckets.contains(session.bucket())) {
                continue;
            }
            if (session.record().isAway()) {
                deadlines.add(session);
                waitingWills.add(session);
            } else {
                session.registrarLoop().execute(() -> acquireOrDisconnect(session, isConnected));
            }
        }
    }

    private void acquireOrDisconnect(PersistentSession session, Predicate<String> isConnected) {
        SessionRecord record = session.record();
        if (isConnected.test(record.owner())) {
            boolean _ = sessions.acquire(session);
        } else {
            var _ = sessions.disconnected(session, record.expirySeconds(), record.will());
        }
    }

    /**
     * This node creates and removes the logs of the APPLICATION clients of this held bucket from now on.
     *
     * @return completes when messages can be appended for all of its sessions; fails if a store does not answer, and may be repeated
     */
    public CompletionStage<Void> takeLogs(int bucket) {
        Map<ClientId, Long> generations = new HashMap<>();
        for (PersistentSession session : sessions.all()) {
            if (session.bucket() == bucket && session.record().type() == ClientType.APPLICATION) {
                generations.put(session.clientId(), session.generation());
            }
        }
        return sessions.applications().take(bucket, clientId -> sessions.bucket(clientId) == bucket, generations);
    }

    /** Completes when this node creates and removes no log of the APPLICATION clients of this quiet bucket any more. */
    public CompletionStage<Void> releaseLogs(int bucket) {
        return sessions.applications().release(bucket);
    }

    /** Stops the deadlines of the sessions of these quiet buckets. Completes when the loops that own the sessions have done so. */
    CompletionStage<Void> giveUp(Set<Integer> buckets) {
        Map<Integer, List<PersistentSession>> ofBuckets = new HashMap<>();
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        for (PersistentSession session : sessions.all()) {
            if (buckets.contains(session.bucket())) {
                List<PersistentSession> found = ofBuckets.computeIfAbsent(session.bucket(), _ -> new ArrayList<>());
                found.add(session);
                if (found.size() == SESSIONS_OF_A_TASK) {
                    ofBuckets.remove(session.bucket());
                    steps.add(onLoop(found, this::giveUp));
                }
            }
        }
        ofBuckets.values().forEach(rest -> steps.add(onLoop(rest, this::giveUp)));
        return CompletableFuture.allOf(steps.toArray(CompletableFuture<?>[]::new));
    }

    /** @param ofOneBucket at least one */
    private static CompletableFuture<Void> onLoop(
            Collection<PersistentSession> ofOneBucket, Consumer<PersistentSession> step) {
        return CompletableFuture.runAsync(
                () -> ofOneBucket.forEach(step), ofOneBucket.iterator().next().registrarLoop());
    }

    private void giveUp(PersistentSession session) {
        deadlines.remove(session);
        waitingWills.giveUp(session);
        // Its next holder knows whether it has a connection.
        session.release();
    }
}

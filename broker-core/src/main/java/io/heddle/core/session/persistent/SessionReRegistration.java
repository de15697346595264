package io.heddle.core.session.persistent;

import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the clients connected to this node again, after the store of the queues has rolled back. Thread-safe, never blocks. */
final class SessionReRegistration {
    private static final Logger log = LoggerFactory.getLogger(SessionReRegistration.class);

    private final SessionRegistry registry;
    private final String incarnation;

    /** @param incarnation of this node */
    SessionReRegistration(SessionRegistry registry, String incarnation) {
        this.registry = registry;
        this.incarnation = incarnation;
    }

    /**
     * Registers the connected sessions of some buckets again and has them repeat their clients' acknowledgements.
     *
     * @return for each bucket a stage that completes when the registry knows its sessions
     */
    Map<Integer, CompletionStage<Void>> registerAgain(Set<Integer> buckets, Collection<PersistentSession> sessions) {
        Map<Integer, List<Known>> connected = new HashMap<>();
        List<Reader> readers = new ArrayList<>();
        for (PersistentSession session : sessions) {
            Reader reader = session.reader();
            if (reader != null && buckets.contains(session.bucket())) {
                connected
                        .computeIfAbsent(session.bucket(), _ -> new ArrayList<>())
                        .add(known(session, reader));
                readers.add(reader);
            }
        }
        Map<Integer, CompletionStage<Void>> registered = new HashMap<>();
        for (int bucket : buckets) {
            List<Known> known = connected.get(bucket);
            registered.put(
                    bucket, known == null ? CompletableFuture.completedStage(null) : registry.restore(bucket, known));
        }
        for (Reader reader : readers) {
            reader.eventLoop().execute(reader::onQueueRolledBack);
        }
        return registered;
    }

    private Known known(PersistentSession session, Reader reader) {
        return new Known(session.clientId(), session.generation(), reader.epoch(), incarnation);
    }

    /** Registers one session again if it is connected. */
    void registerAgain(PersistentSession session) {
        Reader reader = session.reader();
        if (reader == null) {
            return;
        }
        registry.restore(session.bucket(), List.of(known(session, reader))).whenComplete((_, failure) -> {
            if (failure != null) {
                // The next message, or the recovery of the store, detects this again.
                log.debug("Could not register a connected client again: clientId={}", session.clientId(), failure);
            }
        });
    }
}

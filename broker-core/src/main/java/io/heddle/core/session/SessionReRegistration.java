package io.heddle.core.session;

import io.heddle.core.delivery.bucket.QueueSessions.Reader;
import io.heddle.core.session.SessionRegistry.Known;
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

/** Tells the store of the queues again who is connected to this node, because it may have forgotten it. Thread-safe, never blocks. */
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
     * Tells some buckets which of these sessions are connected, and has the sessions repeat what their clients have acknowledged.
     *
     * @return for each bucket a stage that completes when it knows
     */
    Map<Integer, CompletionStage<Void>> tellAgain(Set<Integer> buckets, Collection<PersistentSession> sessions) {
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
        Map<Integer, CompletionStage<Void>> told = new HashMap<>();
        for (int bucket : buckets) {
            List<Known> known = connected.get(bucket);
            told.put(bucket, known == null ? CompletableFuture.completedStage(null) : registry.restore(bucket, known));
        }
        for (Reader reader : readers) {
            reader.eventLoop().execute(reader::onQueueRolledBack);
        }
        return told;
    }

    private Known known(PersistentSession session, Reader reader) {
        return new Known(session.clientId(), session.generation(), reader.epoch(), incarnation);
    }

    /** The same of one session, if it is connected. */
    void tellAgain(PersistentSession session) {
        Reader reader = session.reader();
        if (reader == null) {
            return;
        }
        registry.restore(session.bucket(), List.of(known(session, reader))).whenComplete((_, failure) -> {
            if (failure != null) {
                // It is found out again with the next message, or when the store is back.
                log.debug("clientId={}: its queue was not told that it is connected", session.clientId(), failure);
            }
        });
    }
}

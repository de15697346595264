package io.heddle.core.session.subscribe;

import io.heddle.core.FailureLog;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.Subscription;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes of one packet to a session's subscriptions. They take effect at once; the packet of a persistent session is answered when
 * they are durable. A filter that the packet repeats is written once. Owned by the session's event loop.
 */
final class RouteChanges {
    private static final Logger log = LoggerFactory.getLogger(RouteChanges.class);

    private final SessionHandle session;
    private final PersistentSessions sessions;
    private final Runnable completed;
    // By the text of the filter; null for a removed subscription.
    private final Map<String, @Nullable Subscription> changed = new LinkedHashMap<>(2);

    /** @param completed runs on the event loop when the changes are written or have failed, once for each {@link #whenWritten} */
    RouteChanges(SessionHandle session, PersistentSessions sessions, Runnable completed) {
        this.session = session;
        this.sessions = sessions;
        this.completed = completed;
    }

    /** A subscription was added or replaced. */
    void added(Subscription subscription) {
        if (session.persistent() != null) {
            changed.put(subscription.topicFilter().value(), subscription);
        }
    }

    /** A subscription was removed. */
    void removed(Subscription subscription) {
        if (session.persistent() != null) {
            changed.put(subscription.topicFilter().value(), null);
        }
    }

    /** Runs the answer, immediately or when all changes are durable; when they can't be written, the connection ends without an answer. */
    void whenWritten(Runnable answer) {
        PersistentSession persistent = session.persistent();
        if (persistent == null || changed.isEmpty()) {
            try {
                answer.run();
            } finally {
                completed.run();
            }
            return;
        }
        sessions.dirty().add(session.clientId(), persistent.record().epoch());
        CompletionStage<Void> written;
        try {
            written = sessions.routes().commit(persistent, changed);
            changed.clear();
        } catch (RuntimeException fault) {
            completed.run();
            throw fault;
        }
        written.whenComplete((_, failure) -> session.eventLoop().execute(() -> {
            completed.run();
            if (failure != null) {
                FailureLog.warn(
                        log,
                        "Could not commit changed subscriptions to heddle.clients; disconnecting the client: clientId="
                                + session.clientId(),
                        failure);
                session.disconnect(ReasonCode.UNSPECIFIED_ERROR);
            } else if (session.isConnected()) {
                answer.run();
            }
        }));
    }
}

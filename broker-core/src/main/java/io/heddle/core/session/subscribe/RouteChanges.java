package io.heddle.core.session.subscribe;

import io.heddle.core.FailureLog;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.PersistentSessions;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one packet changes of a session's subscriptions. They count at once; the packet is answered when those of a persistent
 * session outlive this node. A filter that the packet names several times is written once. Belongs to the session's event loop.
 */
final class RouteChanges {
    private static final Logger log = LoggerFactory.getLogger(RouteChanges.class);

    private final SessionHandle session;
    private final PersistentSessions sessions;
    private final Runnable completed;
    // By the text of the filter; null when the subscription has ended.
    private final Map<String, @Nullable Subscription> changed = new LinkedHashMap<>(2);

    /** @param completed runs on the event loop when the changes are written or can't be, once for each {@link #whenWritten} */
    RouteChanges(SessionHandle session, PersistentSessions sessions, Runnable completed) {
        this.session = session;
        this.sessions = sessions;
        this.completed = completed;
    }

    /** There is a new subscription, or it took the place of another. */
    void added(Subscription subscription) {
        if (session.persistent() != null) {
            changed.put(subscription.topicFilter().value(), subscription);
        }
    }

    /** A subscription is gone. */
    void removed(Subscription subscription) {
        if (session.persistent() != null) {
            changed.put(subscription.topicFilter().value(), null);
        }
    }

    /** Runs the answer, now or when all is written; when it can't be, the connection ends without one. */
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
        sessions.dirty().add(session.clientId());
        CompletionStage<Void> written;
        try {
            written = append(persistent);
        } catch (RuntimeException fault) {
            completed.run();
            throw fault;
        }
        written.whenComplete((_, failure) -> session.eventLoop().execute(() -> {
            completed.run();
            if (failure != null) {
                FailureLog.warn(
                        log,
                        "Could not append changed subscriptions to heddle.routes; disconnecting the client: clientId="
                                + session.clientId(),
                        failure);
                session.disconnect(ReasonCode.UNSPECIFIED_ERROR);
            } else if (session.isConnected()) {
                answer.run();
            }
        }));
    }

    private CompletionStage<Void> append(PersistentSession persistent) {
        CompletableFuture<?>[] appends = new CompletableFuture<?>[changed.size()];
        int count = 0;
        for (Map.Entry<String, @Nullable Subscription> change : changed.entrySet()) {
            Subscription subscription = change.getValue();
            CompletionStage<Void> append = subscription == null
                    ? sessions.routes().forget(new RouteKey(persistent.clientId(), change.getKey()))
                    : sessions.routes().remember(persistent, subscription);
            appends[count++] = append.toCompletableFuture();
        }
        changed.clear();
        return CompletableFuture.allOf(appends);
    }
}

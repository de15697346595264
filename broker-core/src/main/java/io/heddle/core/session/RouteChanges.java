package io.heddle.core.session;

import io.heddle.core.FailureLog;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one packet changes of a session's subscriptions. They count at once; the packet is answered when those of a persistent
 * session outlive this node. Belongs to the session's event loop.
 */
final class RouteChanges {
    private static final Logger log = LoggerFactory.getLogger(RouteChanges.class);

    private final ClientSession session;
    private final PersistentSessions all;
    private final List<CompletableFuture<Void>> appends = new ArrayList<>(0);

    RouteChanges(ClientSession session, PersistentSessions all) {
        this.session = session;
        this.all = all;
    }

    /** There is a new subscription, or it took the place of another. */
    void made(Subscription subscription) {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            add(all.routes().remember(persistent, subscription));
        }
    }

    /** A subscription is gone. */
    void ended(Subscription subscription) {
        PersistentSession persistent = session.persistent();
        if (persistent != null) {
            add(all.routes()
                    .forget(new RouteKey(
                            persistent.clientId(), subscription.topicFilter().value())));
        }
    }

    private void add(CompletionStage<Void> append) {
        appends.add(append.toCompletableFuture());
    }

    /** Runs the answer, now or when all is kept; when it can't be, the connection ends without one. */
    void whenKept(Runnable answer) {
        if (appends.isEmpty()) {
            answer.run();
            return;
        }
        all.changed().add(session.clientId());
        CompletionStage<Void> kept = CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new));
        kept.whenComplete((_, failure) -> session.eventLoop().execute(() -> {
            if (failure != null) {
                FailureLog.warn(
                        log, "clientId=" + session.clientId() + ": its subscriptions could not be written", failure);
                session.lose(ReasonCode.UNSPECIFIED_ERROR);
            } else if (session.isConnected()) {
                answer.run();
            }
        }));
    }
}

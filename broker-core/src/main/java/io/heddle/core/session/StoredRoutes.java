package io.heddle.core.session;

import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subscriptions of persistent sessions, as the log {@code heddle.routes} has them. Thread-safe, holds nothing itself. */
final class StoredRoutes {
    private static final Logger log = LoggerFactory.getLogger(StoredRoutes.class);

    private final ChangeLog<RouteKey, Route> routeLog;

    StoredRoutes(ChangeLog<RouteKey, Route> routeLog) {
        this.routeLog = routeLog;
    }

    /** Completes when a subscription outlives this node. */
    CompletionStage<Void> remember(PersistentSession session, Subscription subscription) {
        Route route = new Route(
                session.clientId(),
                subscription.topicFilter().value(),
                session.generation(),
                subscription.terms().maximumQos(),
                subscription.noLocal(),
                subscription.terms().retainAsPublished(),
                subscription.identifier());
        return routeLog.append(route.key(), route);
    }

    /** Completes when a subscription can't come back. */
    CompletionStage<Void> forget(RouteKey key) {
        return routeLog.append(key, null);
    }

    /** The same for one whose session is over: if it stays in the log, it is passed over, and removed at the next start. */
    void forgetEnded(RouteKey key) {
        forget(key).whenComplete((_, failure) -> {
            if (failure != null) {
                log.debug("{} stays in the log until the next start", key, failure);
            }
        });
    }
}

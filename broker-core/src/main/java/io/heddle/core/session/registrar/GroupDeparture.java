package io.heddle.core.session.registrar;

import io.heddle.core.client.EventLoop;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.queue.Memberships;
import io.heddle.core.subscription.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the shared subscriptions of an ending session from the log, and waits until the other nodes have applied that. In the memory of this
 * node the subscriptions stay until the session has ended.
 */
final class GroupDeparture implements Memberships {
    /** A node with a broken link reads the log, too, but cannot confirm that. The client's next CONNECT waits for this. */
    private static final Duration FOLLOWED_LIMIT = Duration.ofSeconds(3);

    private static final Logger log = LoggerFactory.getLogger(GroupDeparture.class);

    private final RegistrarServices services;

    GroupDeparture(RegistrarServices services) {
        this.services = services;
    }

    @Override
    public CompletionStage<Void> end(PersistentSession session) {
        Map<String, @Nullable Subscription> removed = shared(session);
        removed.replaceAll((_, _) -> null);
        return commit(session, removed).thenCompose(_ -> whenFollowed(session));
    }

    @Override
    public CompletionStage<Void> restore(PersistentSession session) {
        return commit(session, shared(session));
    }

    private static Map<String, @Nullable Subscription> shared(PersistentSession session) {
        session.registrarLoop().assertCurrent();
        Map<String, @Nullable Subscription> shared = new HashMap<>();
        for (Subscription subscription : session.subscriptions().values()) {
            if (subscription.topicFilter().isShared()) {
                shared.put(subscription.topicFilter().value(), subscription);
            }
        }
        return shared;
    }

    private CompletionStage<Void> commit(PersistentSession session, Map<String, @Nullable Subscription> changed) {
        return changed.isEmpty()
                ? CompletableFuture.completedStage(null)
                : services.persistent().routes().commit(session, changed);
    }

    /** Completes when all nodes that route messages have applied the log, or after {@link #FOLLOWED_LIMIT}. */
    private CompletionStage<Void> whenFollowed(PersistentSession session) {
        CompletableFuture<Void> over = new CompletableFuture<>();
        EventLoop.Timer limit = session.registrarLoop().schedule(FOLLOWED_LIMIT, () -> over.complete(null));
        services.settlement().whenFollowed(session.bucket()).whenComplete((_, failure) -> {
            limit.cancel();
            if (failure != null) {
                log.debug(
                        "Not all nodes are known to have read that a session has left its groups: clientId={}",
                        session.clientId(),
                        failure);
            }
            over.complete(null);
        });
        return over;
    }
}

package io.heddle.core.session.registrar;

import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.queue.GroupMembership;
import io.heddle.core.subscription.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the shared subscriptions of an ending session from the log, and waits until the other nodes have followed. In the memory of this node
 * they stay until the session has ended.
 */
final class GroupDeparture implements GroupMembership {
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
        Map<String, @Nullable Subscription> restored = shared(session);
        CompletionStage<Void> committed = commit(session, restored);
        committed.whenComplete((_, failure) -> {
            if (failure != null) {
                session.registrarLoop()
                        .execute(() -> restored.keySet()
                                .forEach(filter -> services.editor()
                                        .unsubscribe(session.subscriber(), session.subscriptions(), filter)));
            }
        });
        return committed;
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
        return services.persistent().routes().commit(session, changed);
    }

    /** A node that does not answer must not keep the session for ever. */
    private CompletionStage<Void> whenFollowed(PersistentSession session) {
        return services.settlement().whenFollowed(session.bucket()).exceptionally(failure -> {
            log.debug(
                    "Not all nodes are known to have read that a session has left its groups: clientId={}",
                    session.clientId(),
                    failure);
            return null;
        });
    }
}

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

/** Removes the shared subscriptions of an ending session, from the log and then from memory, and waits until the other nodes have followed. */
final class GroupDeparture implements GroupMembership {
    private static final Logger log = LoggerFactory.getLogger(GroupDeparture.class);

    private final RegistrarServices services;

    GroupDeparture(RegistrarServices services) {
        this.services = services;
    }

    @Override
    public CompletionStage<Void> end(PersistentSession session) {
        session.registrarLoop().assertCurrent();
        Map<String, @Nullable Subscription> removed = new HashMap<>();
        for (Subscription subscription : session.subscriptions().values()) {
            if (subscription.topicFilter().isShared()) {
                removed.put(subscription.topicFilter().value(), null);
            }
        }
        if (removed.isEmpty()) {
            return whenFollowed(session);
        }
        return services.persistent().routes().commit(session, removed).thenCompose(_ -> {
            session.registrarLoop()
                    .execute(() -> removed.keySet()
                            .forEach(filter -> services.editor()
                                    .unsubscribe(session.subscriber(), session.subscriptions(), filter)));
            return whenFollowed(session);
        });
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

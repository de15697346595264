package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.InMemoryClientLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Applies the changes that another node commits to the sessions of a node that decides about no client. */
public final class TestReplica {
    private final InMemoryClientLog log;
    private final PersistentSessions sessions;
    private final SubscriptionTrie trie;
    private int applied;

    public TestReplica(InMemoryClientLog log, PersistentSessions sessions, SubscriptionTrie trie) {
        this.log = log;
        this.sessions = sessions;
        this.trie = trie;
    }

    /** Applies everything that is committed now. */
    public void follow() {
        List<ClientChange> all = log.changes();
        for (ClientChange change : all.subList(applied, all.size())) {
            apply(change);
        }
        applied = all.size();
    }

    private void apply(ClientChange change) {
        switch (change) {
            case ClientChange.OfSession(ClientId clientId, SessionRecord record) ->
                apply(sessions.find(clientId), clientId, record);
            case ClientChange.OfRoute(RouteKey key, Route route) -> apply(sessions.find(key.clientId()), key, route);
            case ClientChange.OfEpoch _ -> {}
        }
    }

    private void apply(@Nullable PersistentSession known, ClientId clientId, @Nullable SessionRecord record) {
        if (record != null) {
            sessions.epochs().onSeen(record.epoch());
        }
        if (known != null && record != null && known.generation() == record.generation()) {
            known.change(record, trie);
            return;
        }
        if (known != null) {
            known.subscriptions().values().forEach(each -> trie.remove(known.subscriber(), each.topicFilter()));
            sessions.all().remove(known);
            sessions.inOrder().remove(known);
        }
        if (record != null) {
            sessions.restore(clientId, record);
        }
    }

    private void apply(@Nullable PersistentSession session, RouteKey key, @Nullable Route route) {
        if (session == null) {
            return;
        }
        TopicFilter filter = TopicFilter.parse(key.topicFilter(), 8);
        if (route == null) {
            trie.remove(session.subscriber(), filter);
            session.subscriptions().remove(key.topicFilter());
        } else {
            Subscription subscription = new Subscription(
                    filter, route.qos(), route.noLocal(), route.retainAsPublished(), route.subscriptionIdentifier());
            trie.apply(session.subscriber(), subscription);
            session.subscriptions().put(key.topicFilter(), subscription);
        }
    }
}

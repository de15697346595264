package io.heddle.core.operator.client;

import io.heddle.core.operator.client.SubscriberPage.Subscriber;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first subscribers behind a position in the trie of this node, which has them in no order. Confined to one thread. Bound:
 * {@value #MAXIMUM_EXAMINED} subscriptions.
 */
final class SubscriberSearch implements SubscriptionTrie.Matches {
    static final int MAXIMUM_EXAMINED = 200_000;

    private final SubscriberQuery query;
    private final boolean persistent;
    private final PriorityQueue<Subscriber> lowest =
            new PriorityQueue<>(Comparator.comparing(Subscriber::position).reversed());
    private int examined;
    private boolean hasMore;

    private SubscriberSearch(SubscriberQuery query, boolean persistent) {
        this.query = query;
        this.persistent = persistent;
    }

    /** @param persistent whether persistent sessions are wanted, which all nodes know, or those of connections to this node */
    static Found search(SubscriptionTrie trie, SubscriberQuery query, boolean persistent) {
        SubscriberSearch search = new SubscriberSearch(query, persistent);
        switch (query.of()) {
            case Of.Topic topic -> trie.match(topic.topic(), search);
            case Of.Filter filter -> trie.subscribers(filter.filter(), search);
        }
        List<Subscriber> entries = search.lowest.stream()
                .sorted(Comparator.comparing(Subscriber::position))
                .toList();
        return new Found(entries, search.hasMore, search.examined <= MAXIMUM_EXAMINED);
    }

    @Override
    public void nextFilter() {
        // Subscriptions name their filters.
    }

    @Override
    public void add(LocalSession session, Subscription subscription) {
        examine(session, subscription);
    }

    @Override
    public void add(PersistentSubscriber session, Subscription subscription) {
        examine(session, subscription);
    }

    @Override
    public void add(SharedGroup group) {
        boolean isWanted = !(query.of() instanceof Of.Filter filter)
                || group.shareName().equals(filter.filter().shareName());
        if (isWanted && examined <= MAXIMUM_EXAMINED) {
            for (Member each : group.members()) {
                examine(each.session(), each.subscription());
            }
        }
    }

    @Override
    public void add(RemoteNode node, RemoteNode.Interest interest) {
        // It is asked.
    }

    private void examine(SessionSubscriber session, Subscription subscription) {
        if (examined > MAXIMUM_EXAMINED
                || session instanceof PersistentSubscriber != persistent
                || isOfOtherFilter(subscription)) {
            return;
        }
        examined++;
        if (examined > MAXIMUM_EXAMINED) {
            return;
        }
        Subscriber found = new Subscriber(session.clientId().value(), SubscriptionEntry.of(subscription), persistent);
        Position after = query.after();
        if (after == null || found.position().compareTo(after) > 0) {
            lowest.add(found);
            if (lowest.size() > query.limit()) {
                lowest.remove();
                hasMore = true;
            }
        }
    }

    private boolean isOfOtherFilter(Subscription subscription) {
        return query.of() instanceof Of.Filter filter && !filter.filter().equals(subscription.topicFilter());
    }

    /**
     * The result of a search.
     *
     * @param hasMore whether some follow behind the last entry
     * @param isComplete whether all subscriptions were examined
     */
    record Found(List<Subscriber> entries, boolean hasMore, boolean isComplete) {
        /** Encodes as many of the entries as fit. */
        byte[] encode(int maximumBytes) {
            return ClientFormat.FOUND_SUBSCRIBERS.encode(
                    entries,
                    maximumBytes,
                    fitting -> new Found(fitting, hasMore || fitting.size() < entries.size(), isComplete));
        }
    }

    /** Merges what the nodes have found. Behind the last entry of a node that has more, others know subscribers that do not come next. */
    static SubscriberPage merge(List<Found> parts, int limit, Set<String> missingNodes) {
        Position end = null;
        boolean isComplete = true;
        List<Subscriber> all = new ArrayList<>();
        for (Found part : parts) {
            all.addAll(part.entries());
            isComplete &= part.isComplete();
            if (part.hasMore() && !part.entries().isEmpty()) {
                Position last = part.entries().getLast().position();
                end = end == null || last.compareTo(end) < 0 ? last : end;
            }
        }
        all.sort(Comparator.comparing(Subscriber::position));
        List<Subscriber> page = new ArrayList<>();
        for (Subscriber each : all) {
            if (isBehind(each.position(), end)) {
                break;
            }
            if (page.size() == limit) {
                return new SubscriberPage(page, page.getLast().position(), isComplete, missingNodes);
            }
            page.add(each);
        }
        return new SubscriberPage(page, end, isComplete, missingNodes);
    }

    private static boolean isBehind(Position position, @Nullable Position end) {
        return end != null && position.compareTo(end) > 0;
    }
}

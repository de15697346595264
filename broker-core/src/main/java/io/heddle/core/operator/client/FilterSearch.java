package io.heddle.core.operator.client;

import io.heddle.core.operator.client.FilterPage.Entry;
import io.heddle.core.operator.client.FilterPage.Query;
import io.heddle.core.subscription.FilterWalk;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteNode;
import io.heddle.core.subscription.SessionSubscriber;
import io.heddle.core.subscription.SharedGroup;
import io.heddle.core.subscription.Subscription;
import io.heddle.core.subscription.SubscriptionTrie;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the first filters behind a position in the trie of this node, which has them in no order, and counts their subscribers. Confined to
 * one thread. Bound: {@value #MAXIMUM_EXAMINED} nodes of the trie, and as many subscriptions.
 */
final class FilterSearch implements FilterWalk.Filters {
    static final int MAXIMUM_EXAMINED = 1_000_000;

    private static final String SHARED = "$share/";

    private final Query query;
    private final boolean persistent;
    private final NavigableMap<String, Entry> lowest = new TreeMap<>();
    private String filter = "";
    private long subscribers;
    private long connected;
    private int examined;
    private boolean hasMore;

    private FilterSearch(Query query, boolean persistent) {
        this.query = query;
        this.persistent = persistent;
    }

    /** @param persistent whether persistent sessions are counted, which all nodes know, or those of connections to this node */
    static Found search(SubscriptionTrie trie, Query query, boolean persistent) {
        FilterSearch search = new FilterSearch(query, persistent);
        String prefix = query.prefix();
        // The trie has groups at their filters without the share names.
        boolean mayBeShared = SHARED.startsWith(prefix) || prefix.startsWith(SHARED);
        boolean isComplete = FilterWalk.walk(trie, mayBeShared ? "" : prefix, MAXIMUM_EXAMINED, search);
        search.add(search.filter, search.subscribers, search.connected);
        return new Found(List.copyOf(search.lowest.values()), search.hasMore, isComplete);
    }

    @Override
    public boolean next(String next) {
        add(filter, subscribers, connected);
        filter = next;
        subscribers = 0;
        connected = 0;
        return examined <= MAXIMUM_EXAMINED;
    }

    @Override
    public void add(LocalSession session, Subscription subscription) {
        count(session, false);
    }

    @Override
    public void add(PersistentSubscriber session, Subscription subscription) {
        count(session, true);
    }

    private void count(SessionSubscriber session, boolean isPersistent) {
        examined++;
        if (isPersistent == persistent) {
            subscribers++;
            connected += session.isConnected() ? 1 : 0;
        }
    }

    @Override
    public void add(SharedGroup group) {
        int members = 0;
        int connectedMembers = 0;
        for (Member each : group.members()) {
            examined++;
            if (each.session() instanceof PersistentSubscriber == persistent) {
                members++;
                connectedMembers += each.session().isConnected() ? 1 : 0;
            }
        }
        add(SHARED + group.shareName() + "/" + filter, members, connectedMembers);
    }

    @Override
    public void add(RemoteNode node, RemoteNode.Interest interest) {
        // It is asked.
    }

    private void add(String found, long count, long countConnected) {
        String after = query.after();
        if (count == 0 || !found.startsWith(query.prefix()) || (after != null && found.compareTo(after) <= 0)) {
            return;
        }
        lowest.put(found, new Entry(found, count, countConnected));
        if (lowest.size() > query.limit()) {
            lowest.pollLastEntry();
            hasMore = true;
        }
    }

    /**
     * The result of a search.
     *
     * @param hasMore whether some follow behind the last entry
     * @param isComplete whether all subscriptions were examined
     */
    record Found(List<Entry> entries, boolean hasMore, boolean isComplete) {
        /** Encodes as many of the entries as fit. */
        byte[] encode(int maximumBytes) {
            return ClientFormat.FOUND_FILTERS.encode(
                    entries,
                    maximumBytes,
                    fitting -> new Found(fitting, hasMore || fitting.size() < entries.size(), isComplete));
        }
    }

    /** Adds up what the nodes have found. Behind the last entry of a node that has more, its further counts are unknown. */
    static FilterPage merge(List<Found> parts, int limit, Set<String> missingNodes) {
        NavigableMap<String, Entry> all = new TreeMap<>();
        String end = null;
        boolean isComplete = true;
        for (Found part : parts) {
            part.entries().forEach(each -> all.merge(each.topicFilter(), each, Entry::plus));
            isComplete &= part.isComplete();
            if (part.hasMore() && !part.entries().isEmpty()) {
                String last = part.entries().getLast().topicFilter();
                end = end == null || last.compareTo(end) < 0 ? last : end;
            }
        }
        NavigableMap<String, Entry> known = end == null ? all : all.headMap(end, true);
        List<Entry> page = known.values().stream().limit(limit).toList();
        @Nullable String next = page.size() < known.size() ? page.getLast().topicFilter() : end;
        return new FilterPage(page, next, isComplete, missingNodes);
    }
}

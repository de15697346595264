package io.heddle.core.operator.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges the parts of a page that several sources have found. A source that ends early limits the page: behind its last client id, the
 * others know clients that do not come next. Confined to one thread.
 */
final class PageMerge {
    private final ClientQuery query;
    private final Comparator<String> order;
    private final NavigableMap<String, ClientEntry> clients;
    /** The client id up to which all sources are complete; null if they have no further clients. */
    private @Nullable String complete;

    PageMerge(ClientQuery query) {
        this.query = query;
        this.order = query.descending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        this.clients = new TreeMap<>(order);
    }

    /** @param next the client id up to which they are complete; null if none follows */
    void add(List<ClientEntry> found, @Nullable String next) {
        for (ClientEntry each : found) {
            clients.merge(each.clientId(), each, PageMerge::latest);
        }
        if (next != null && (complete == null || order.compare(next, complete) < 0)) {
            complete = next;
        }
    }

    /** While a client moves between nodes, two sources may have it for a moment. */
    private static ClientEntry latest(ClientEntry one, ClientEntry other) {
        if (one.state() != other.state()) {
            return one.state() == ClientState.CONNECTED ? one : other;
        }
        return one.sinceMillis() >= other.sinceMillis() ? one : other;
    }

    ClientPage page(Set<String> missingNodes) {
        List<ClientEntry> entries = new ArrayList<>();
        String end = complete;
        for (ClientEntry each : (end == null ? clients : clients.headMap(end, true)).values()) {
            if (entries.size() == query.limit()) {
                return new ClientPage(entries, entries.getLast().clientId(), missingNodes);
            }
            entries.add(each);
        }
        return new ClientPage(entries, end, missingNodes);
    }
}

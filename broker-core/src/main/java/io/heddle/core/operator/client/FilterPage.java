package io.heddle.core.operator.client;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some topic filters in use, in the order of their texts.
 *
 * @param next the filter behind which the next page begins; null if nothing follows
 * @param isComplete false if a node has examined only some of its subscriptions, because there are too many
 * @param missingNodes the ids of the nodes whose connected clients without persistent sessions are not counted
 */
public record FilterPage(List<Entry> entries, @Nullable String next, boolean isComplete, Set<String> missingNodes) {
    /**
     * A filter in use.
     *
     * @param topicFilter begins with {@code $share/} if it is that of a group
     * @param subscribers the number of sessions with this subscription, the members of a group
     * @param connected the number of those whose clients are connected
     */
    public record Entry(String topicFilter, long subscribers, long connected) {
        /** Returns the entry with the subscribers of another part of the cluster. */
        Entry plus(Entry other) {
            return new Entry(topicFilter, subscribers + other.subscribers, connected + other.connected);
        }
    }

    /**
     * A question for filters.
     *
     * @param prefix the filters begin with this text; those of groups begin with {@code $share/}
     * @param after the filter behind which the page begins; null for the first page
     * @param limit the highest number of filters, 1 to {@value ClientQuery#MAXIMUM_LIMIT}
     */
    public record Query(String prefix, @Nullable String after, int limit) {
        public Query {
            if (limit < 1 || limit > ClientQuery.MAXIMUM_LIMIT) {
                throw new IllegalArgumentException(
                        "a page has 1 to " + ClientQuery.MAXIMUM_LIMIT + " filters, not " + limit);
            }
        }
    }

    public FilterPage {
        entries = List.copyOf(entries);
        missingNodes = Set.copyOf(missingNodes);
    }
}

package io.heddle.core.operator.client;

import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through clients in the order of their ids, from a cursor on. Stateless. Bound: {@value #MAXIMUM_EXAMINED} clients, and what the
 * receiver accepts.
 */
final class OrderedWalk {
    static final int MAXIMUM_EXAMINED = 200_000;

    private OrderedWalk() {}

    /**
     * Passes clients on until the receiver accepts no more.
     *
     * @param matches whether a client is passed on
     * @param receiver returns false if it has not taken the client and takes no more
     * @return the last client id that was examined and taken, if some may follow; null if none follows
     */
    static <V> @Nullable String walk(
            NavigableMap<String, V> clients, ClientQuery query, Predicate<V> matches, Predicate<V> receiver) {
        NavigableMap<String, V> range = range(clients, query);
        int examined = 0;
        int taken = 0;
        String last = query.after();
        for (Map.Entry<String, V> each : range.entrySet()) {
            if (examined == MAXIMUM_EXAMINED || taken == query.limit()) {
                return last;
            }
            examined++;
            if (matches.test(each.getValue())) {
                if (!receiver.test(each.getValue())) {
                    return last;
                }
                taken++;
            }
            last = each.getKey();
        }
        return null;
    }

    /** Returns the clients behind the cursor whose ids begin with the prefix, in the order of the query. */
    private static <V> NavigableMap<String, V> range(NavigableMap<String, V> clients, ClientQuery query) {
        String prefix = query.filter().commonPrefix();
        String after = query.after();
        String end = endOf(prefix);
        String from = prefix;
        boolean isFromIncluded = true;
        if (after != null && !query.descending() && after.compareTo(from) >= 0) {
            from = after;
            isFromIncluded = false;
        }
        if (after != null && query.descending() && (end == null || after.compareTo(end) < 0)) {
            end = after;
        }
        if (end != null && from.compareTo(end) >= 0) {
            return clients.subMap("", true, "", false);
        }
        NavigableMap<String, V> range =
                end == null ? clients.tailMap(from, isFromIncluded) : clients.subMap(from, isFromIncluded, end, false);
        return query.descending() ? range.descendingMap() : range;
    }

    /** Returns the lowest text above all that begin with a prefix, or null if there is none. */
    private static @Nullable String endOf(String prefix) {
        for (int last = prefix.length() - 1; last >= 0; last--) {
            char character = prefix.charAt(last);
            if (character != Character.MAX_VALUE) {
                return prefix.substring(0, last) + (char) (character + 1);
            }
        }
        return null;
    }
}

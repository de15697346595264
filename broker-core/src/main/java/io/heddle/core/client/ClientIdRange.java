package io.heddle.core.client;

import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** The part of an ordered map of clients that a page of a list begins with. Stateless; examines no entry. */
public final class ClientIdRange {
    private ClientIdRange() {}

    /**
     * Returns the clients behind a cursor whose ids begin with a prefix, in the order of the list.
     *
     * @param clients by client id, in ascending order
     * @param after the cursor, or null for the beginning of the list
     */
    public static <V> NavigableMap<String, V> of(
            NavigableMap<String, V> clients, String prefix, @Nullable String after, boolean isDescending) {
        String end = endOf(prefix);
        String from = prefix;
        boolean isFromIncluded = true;
        if (after != null && !isDescending && after.compareTo(from) >= 0) {
            from = after;
            isFromIncluded = false;
        }
        if (after != null && isDescending && (end == null || after.compareTo(end) < 0)) {
            end = after;
        }
        if (end != null && from.compareTo(end) >= 0) {
            return clients.subMap("", true, "", false);
        }
        NavigableMap<String, V> range =
                end == null ? clients.tailMap(from, isFromIncluded) : clients.subMap(from, isFromIncluded, end, false);
        return isDescending ? range.descendingMap() : range;
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

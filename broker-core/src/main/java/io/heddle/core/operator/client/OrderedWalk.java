package io.heddle.core.operator.client;

import io.heddle.core.client.ClientIdRange;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through clients in the order of their ids, from a cursor on. Stateless. Bound: {@value #MAXIMUM_EXAMINED} clients.
 */
final class OrderedWalk {
    static final int MAXIMUM_EXAMINED = 200_000;

    private OrderedWalk() {}

    /**
     * Passes clients on.
     *
     * @param matches whether a client is passed on
     * @return the last client id that was examined and taken, if some may follow; null if none follows
     */
    static <V> @Nullable String walk(
            NavigableMap<String, V> clients, ClientQuery query, Predicate<V> matches, Consumer<V> receiver) {
        NavigableMap<String, V> range =
                ClientIdRange.of(clients, query.filter().commonPrefix(), query.after(), query.descending());
        int examined = 0;
        int taken = 0;
        String last = query.after();
        for (Map.Entry<String, V> each : range.entrySet()) {
            if (examined == MAXIMUM_EXAMINED || taken == query.limit()) {
                return last;
            }
            examined++;
            if (matches.test(each.getValue())) {
                receiver.accept(each.getValue());
                taken++;
            }
            last = each.getKey();
        }
        return null;
    }
}

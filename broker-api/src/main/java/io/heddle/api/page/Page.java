package io.heddle.api.page;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list that comes from one place.
 *
 * @param items in the order of the list; may be empty although there is a next part, if a filter rejected all examined entries
 * @param next the cursor of the next part, for the parameter {@code after}; null at the end of the list
 */
public record Page<T>(List<T> items, @Nullable String next) {
    public Page {
        items = List.copyOf(items);
    }

    /**
     * Returns the page of a list that is in memory.
     *
     * @param all the entries that match the filters, in any order, with different keys
     */
    public static <S, T> Page<T> ofAll(
            ListRequest list, Collection<S> all, Function<S, String> key, Function<S, T> item) {
        Comparator<String> order = list.sort().isDescending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        String after = list.after();
        List<S> found = all.stream()
                .filter(each -> after == null || order.compare(key.apply(each), after) > 0)
                .sorted(Comparator.comparing(key, order))
                .limit(list.limit() + 1L)
                .toList();
        return of(found, list.limit(), item, last -> list.next(key.apply(last)));
    }

    /**
     * Returns the page of entries that were read with a limit of one more than the request has.
     *
     * @param found at most {@code limit + 1} entries
     * @param cursor returns the cursor of the last entry of the page
     */
    public static <S, T> Page<T> of(List<S> found, int limit, Function<S, T> item, Function<S, String> cursor) {
        boolean isLast = found.size() <= limit;
        List<S> shown = isLast ? found : found.subList(0, limit);
        return new Page<>(shown.stream().map(item).toList(), isLast ? null : cursor.apply(shown.getLast()));
    }
}

package io.heddle.api.page;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list for which all nodes are asked.
 *
 * @param items in the order of the list; may be empty although there is a next part, if a filter rejected all examined entries
 * @param next the cursor of the next part, for the parameter {@code after}; null at the end of the list
 * @param missingNodes ids of members that did not answer, in order
 */
public record ClusterPage<T>(List<T> items, @Nullable String next, List<String> missingNodes) {
    public ClusterPage {
        items = List.copyOf(items);
        missingNodes = List.copyOf(missingNodes);
    }

    /** Returns the part of a list with the nodes that did not answer. */
    public static <T> ClusterPage<T> of(Page<T> page, Collection<String> missingNodes) {
        return new ClusterPage<>(page.items(), page.next(), List.copyOf(new TreeSet<>(missingNodes)));
    }
}

package io.heddle.core.operator.client;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some clients, in the order of the query.
 *
 * @param next the client id up to which the list is complete, which the next page names; null if nothing follows
 * @param missingNodes the ids of the nodes whose connected clients are not in the list, because they have not answered
 */
public record ClientPage(
        List<ClientEntry> entries, @Nullable String next, Set<String> missingNodes) {
    public ClientPage {
        entries = List.copyOf(entries);
        missingNodes = Set.copyOf(missingNodes);
    }
}

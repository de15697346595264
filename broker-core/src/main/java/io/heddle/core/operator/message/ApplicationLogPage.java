package io.heddle.core.operator.message;

import java.util.List;

/**
 * A part of the logs of all APPLICATION clients.
 *
 * @param logs in the order of the query
 * @param hasMore whether logs follow the last one
 */
public record ApplicationLogPage(List<ApplicationLog> logs, boolean hasMore) {
    public ApplicationLogPage {
        logs = List.copyOf(logs);
    }
}

package io.heddle.core.operator.refusal;

import io.heddle.core.client.RecentRefusals.Refusal;
import java.util.List;

/**
 * @param entries the latest first
 * @param missingNodes the ids of the members that have not answered
 */
public record RefusalPage(List<Entry> entries, List<String> missingNodes) {
    /** @param node the id of the node that has refused it */
    public record Entry(String node, Refusal refusal) {}

    public RefusalPage {
        entries = List.copyOf(entries);
        missingNodes = List.copyOf(missingNodes);
    }
}

package io.heddle.core.operator.client;

import io.heddle.core.operator.client.SubscriberQuery.Position;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some subscribers, in the order of their client ids and filters.
 *
 * @param next the position behind which the next page begins; null if nothing follows
 * @param isComplete false if a node has examined only some of its subscriptions, because there are too many
 * @param missingNodes the ids of the nodes whose connected clients without persistent sessions are not in the list
 */
public record SubscriberPage(
        List<Subscriber> entries, @Nullable Position next, boolean isComplete, Set<String> missingNodes) {
    /**
     * A subscriber.
     *
     * @param isPersistent whether its session outlives its connection
     */
    public record Subscriber(String clientId, SubscriptionEntry subscription, boolean isPersistent) {
        Position position() {
            return new Position(clientId, subscription.topicFilter());
        }
    }

    public SubscriberPage {
        entries = List.copyOf(entries);
        missingNodes = Set.copyOf(missingNodes);
    }
}

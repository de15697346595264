package io.heddle.core.operator.client;

import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A page of the subscribers whose subscriptions match a topic, or of those of one filter.
 *
 * @param of the topic, or the filter
 * @param after the subscriber behind which the page begins; null for the first page
 * @param limit the highest number of subscribers, 1 to {@value ClientQuery#MAXIMUM_LIMIT}
 */
public record SubscriberQuery(Of of, @Nullable Position after, int limit) {
    /** What is subscribed to. */
    public sealed interface Of {
        /** All filters that match a topic. */
        record Topic(TopicName topic) implements Of {}

        /** One filter; with {@code $share/}, one group. */
        record Filter(TopicFilter filter) implements Of {}
    }

    /** The place of a subscriber in the list. Positions are ordered by the client id, then by the filter. */
    public record Position(String clientId, String topicFilter) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            int byClient = clientId.compareTo(other.clientId);
            return byClient == 0 ? topicFilter.compareTo(other.topicFilter) : byClient;
        }
    }

    public SubscriberQuery {
        if (limit < 1 || limit > ClientQuery.MAXIMUM_LIMIT) {
            throw new IllegalArgumentException(
                    "a page has 1 to " + ClientQuery.MAXIMUM_LIMIT + " subscribers, not " + limit);
        }
    }
}

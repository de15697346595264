package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import java.util.List;

/**
 * A request to change the subscriptions of a persistent session: one SUBSCRIBE or UNSUBSCRIBE, whose filters are valid. The node with the
 * connection has admitted it.
 */
public sealed interface SubscriptionChange {
    ClientId clientId();

    /** Returns the generation of the session. */
    long generation();

    /** Returns the epoch of the connection that the packet arrived on. */
    long epoch();

    /** Returns the number of filters. */
    int count();

    /**
     * Adds or replaces subscriptions.
     *
     * @param identifier 1 to 268,435,455, or {@link io.heddle.core.mqtt.packet.SubscribePacket#NO_SUBSCRIPTION_IDENTIFIER}
     */
    record Subscribe(ClientId clientId, long generation, long epoch, int identifier, List<FilterRequest> requests)
            implements SubscriptionChange {
        public Subscribe {
            requests = List.copyOf(requests);
        }

        @Override
        public int count() {
            return requests.size();
        }
    }

    /** Removes subscriptions. */
    record Unsubscribe(ClientId clientId, long generation, long epoch, List<String> topicFilters)
            implements SubscriptionChange {
        public Unsubscribe {
            topicFilters = List.copyOf(topicFilters);
        }

        @Override
        public int count() {
            return topicFilters.size();
        }
    }
}

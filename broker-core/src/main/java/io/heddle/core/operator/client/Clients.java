package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.session.SessionAdministration.Ended;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The clients of all nodes. Thread-safe. The methods block for {@link io.heddle.core.operator.query.NodeQuestions#LIMIT} at most, and {@link
 * #endSession} for ten seconds more, and so are called on virtual threads. A node that does not answer is named as missing.
 */
public interface Clients {
    /** Returns a page of the clients. */
    ClientPage list(ClientQuery query);

    /** Returns what is known about a client. */
    ClientDetails find(ClientId clientId);

    /**
     * The result of {@link #disconnect}.
     *
     * @param nodeId of the node that has closed the connection; null if the client is connected to no node that has answered
     * @param missingNodes the ids of the nodes that have not answered; the client may be connected to one of them
     */
    record Disconnected(@Nullable String nodeId, Set<String> missingNodes) {
        public Disconnected {
            missingNodes = Set.copyOf(missingNodes);
        }
    }

    /**
     * Closes the connection of a client. A client of MQTT 5.0 gets DISCONNECT with the reason. Its will is due, and its persistent session
     * goes on.
     *
     * @param reason an error code of DISCONNECT
     */
    Disconnected disconnect(ClientId clientId, ReasonCode reason);

    /**
     * Closes the connection of a client and ends its session, with its queue or log.
     *
     * @return when the end is durable, or unknown
     */
    Ended endSession(ClientId clientId);

    /**
     * Ends the sessions of the clients that are away and match a filter, with their queues or logs. Blocks for up to half a minute.
     *
     * @param isDryRun only counts them
     */
    EndedSessions endSessions(ClientFilter filter, boolean isDryRun);

    /**
     * The result of {@link #subscriptions}.
     *
     * @param page null if no node that has answered knows the client
     */
    record ClientSubscriptions(@Nullable SubscriptionPage page, Set<String> missingNodes) {
        public ClientSubscriptions {
            missingNodes = Set.copyOf(missingNodes);
        }
    }

    /**
     * Returns a page of the subscriptions of a client, in the order of their filters.
     *
     * @param after the filter behind which the page begins, or null
     * @param limit 1 to {@value ClientQuery#MAXIMUM_LIMIT}
     */
    ClientSubscriptions subscriptions(ClientId clientId, @Nullable String after, int limit);

    /** Returns the member of a shared subscription that gets the next message which is published at this node; null if there is none. */
    @Nullable
    NextMember nextMember(TopicFilter sharedFilter);

    /** Returns a page of the subscribers of a filter, or of those whose subscriptions match a topic. */
    SubscriberPage subscribers(SubscriberQuery query);

    /** Returns a page of the filters in use, with those of shared subscriptions, and the numbers of their subscribers. */
    FilterPage filters(FilterPage.Query query);
}

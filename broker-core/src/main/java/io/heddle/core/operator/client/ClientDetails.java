package io.heddle.core.operator.client;

import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.session.SessionDetails;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client, as far as the nodes that have answered know it.
 *
 * @param client null if no node that has answered knows the client
 * @param subscriptions the number of its subscriptions
 * @param session the state of its session on the node that it is connected to; null while it is away
 * @param queueDrop the latest message that its queue has dropped, as the node knows that holds its bucket; null if there is none
 * @param lastDisconnection in a day, from the nodes that have answered; null if there is none
 * @param missingNodes the ids of the nodes that have not answered; empty if the client was found
 */
public record ClientDetails(
        @Nullable ClientEntry client,
        int subscriptions,
        @Nullable SessionDetails session,
        @Nullable QueueDrop queueDrop,
        @Nullable LastDisconnection lastDisconnection,
        Set<String> missingNodes) {
    public ClientDetails {
        missingNodes = Set.copyOf(missingNodes);
    }

    ClientDetails with(@Nullable QueueDrop drop, @Nullable LastDisconnection disconnection) {
        return new ClientDetails(client, subscriptions, session, drop, disconnection, missingNodes);
    }
}

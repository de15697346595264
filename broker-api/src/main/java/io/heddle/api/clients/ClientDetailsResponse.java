package io.heddle.api.clients;

import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.session.SessionDetails;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a client with the state of its session.
 *
 * @param subscriptions the number of its subscriptions
 * @param session the state of the session on the node of the connection; null while the client is away
 * @param lastQueueDrop the latest message that the queue of a persistent session has dropped since a node holds its bucket; null if none
 * @param stored the messages in the queue or log of a persistent session; null if it is not persistent, or its store has not answered
 */
record ClientDetailsResponse(
        ClientResponse client,
        int subscriptions,
        @Nullable Session session,
        @Nullable QueueDropResponse lastQueueDrop,
        @Nullable StoredMessagesResponse stored) {
    /**
     * A message that a queue has dropped.
     *
     * @param reason as in the metric heddle.messages.dropped
     */
    record QueueDropResponse(String reason, Instant at) {}

    /**
     * The state of a session.
     *
     * @param inFlight messages that were sent and are not acknowledged
     * @param waitingMessages in the memory of the node; those of a persistent session wait in its queue or log
     * @param dropped messages that the client was not sent since it has connected
     * @param lastDropReason as in the metric heddle.messages.dropped; null if none was dropped
     */
    record Session(
            int inFlight,
            long waitingMessages,
            long waitingBytes,
            long dropped,
            @Nullable String lastDropReason,
            @Nullable Instant lastDropAt) {}

    static ClientDetailsResponse of(
            ClientEntry client, ClientDetails details, @Nullable StoredMessagesResponse stored) {
        SessionDetails session = details.session();
        QueueDrop drop = details.queueDrop();
        return new ClientDetailsResponse(
                ClientResponse.of(client),
                details.subscriptions(),
                session == null ? null : of(session),
                drop == null ? null : new QueueDropResponse(drop.reason().tag(), Instant.ofEpochMilli(drop.millis())),
                stored);
    }

    private static Session of(SessionDetails session) {
        return new Session(
                session.inFlight(),
                session.waitingMessages(),
                session.waitingBytes(),
                session.drops(),
                session.dropReason(),
                session.dropReason() == null ? null : Instant.ofEpochMilli(session.dropMillis()));
    }
}

package io.heddle.api.clients;

import io.heddle.core.delivery.device.QueueDrop;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.ClientEntry;
import io.heddle.core.operator.client.ClientEntry.ClientLink;
import io.heddle.core.operator.client.LastDisconnection;
import io.heddle.core.session.SessionDetails;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of a client with the state of its session.
 *
 * @param client null if it is neither connected nor has a session, but was disconnected in the last day
 * @param subscriptions the number of its subscriptions
 * @param session the state of the session on the node of the connection; null while the client is away
 * @param lastQueueDrop the latest message that the queue of a persistent session has dropped since a node holds its bucket; null if none
 * @param lastDisconnection in the last day; null if there was none
 * @param stored the messages in the queue or log of a persistent session; null if it is not persistent, or its store has not answered
 */
record ClientDetailsResponse(
        @Nullable ClientResponse client,
        int subscriptions,
        @Nullable Session session,
        @Nullable QueueDropResponse lastQueueDrop,
        @Nullable DisconnectionResponse lastDisconnection,
        @Nullable StoredMessagesResponse stored) {
    /**
     * A message that a queue has dropped.
     *
     * @param reason as in the metric heddle.messages.dropped
     */
    record QueueDropResponse(String reason, Instant at) {}

    /**
     * The end of a connection.
     *
     * @param reason a word, such as keep_alive_timeout or connection_reset
     * @param node id of the node that had the connection
     */
    record DisconnectionResponse(
            Instant at,
            String reason,
            String detail,
            @Nullable String userName,
            @Nullable String node,
            @Nullable String listener,
            @Nullable String address,
            Instant connectedAt) {
        static DisconnectionResponse of(LastDisconnection last) {
            ClientEntry client = last.client();
            ClientLink link = client.connection();
            return new DisconnectionResponse(
                    Instant.ofEpochMilli(last.millis()),
                    last.reason(),
                    last.detail(),
                    client.userName(),
                    link == null ? null : link.nodeId(),
                    link == null ? null : link.listener(),
                    link == null ? null : link.address(),
                    Instant.ofEpochMilli(client.sinceMillis()));
        }
    }

    /**
     * The state of a session.
     *
     * @param inFlight messages that were sent and are not acknowledged
     * @param maximumInFlight the send quota
     * @param waitingMessages in the memory of the node; those of a persistent session wait in its queue or log
     * @param dropped messages that the client was not sent since it has connected
     * @param lastDropReason as in the metric heddle.messages.dropped; null if none was dropped
     */
    record Session(
            int inFlight,
            int maximumInFlight,
            long waitingMessages,
            long waitingBytes,
            long dropped,
            @Nullable String lastDropReason,
            @Nullable Instant lastDropAt) {}

    static ClientDetailsResponse of(ClientDetails details, @Nullable StoredMessagesResponse stored) {
        ClientEntry client = details.client();
        LastDisconnection last = details.lastDisconnection();
        SessionDetails session = details.session();
        QueueDrop drop = details.queueDrop();
        return new ClientDetailsResponse(
                client == null ? null : ClientResponse.of(client),
                details.subscriptions(),
                session == null ? null : of(session),
                drop == null ? null : new QueueDropResponse(drop.reason().tag(), Instant.ofEpochMilli(drop.millis())),
                last == null ? null : DisconnectionResponse.of(last),
                stored);
    }

    private static Session of(SessionDetails session) {
        return new Session(
                session.inFlight(),
                session.maximumInFlight(),
                session.waitingMessages(),
                session.waitingBytes(),
                session.drops(),
                session.dropReason(),
                session.dropReason() == null ? null : Instant.ofEpochMilli(session.dropMillis()));
    }
}

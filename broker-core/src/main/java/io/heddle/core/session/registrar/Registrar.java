package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * Decides about the sessions of clients: opens and leaves them, and changes the subscriptions of persistent ones. Requests and answers are
 * values, so that the node with the connection may differ from the node that decides. Thread-safe. Requests of one client are handled in
 * the order of the calls. Answers come on any thread, which must not be blocked. A node answers that a client has moved when it does not
 * hold the client's bucket; the request is then repeated at the node that does.
 */
public interface Registrar {
    /**
     * Opens a client's session. Other connections of the client are closed first. A caller whose client has been lost meanwhile answers
     * {@link OpenOutcome.Opened} with {@link #leave}.
     *
     * @return completes within ten seconds and never fails
     */
    CompletionStage<OpenOutcome> open(OpenRequest request);

    /**
     * Opens a client's session like {@link #open(OpenRequest)}. A request that waits for the node that decides is not sent to it once the client
     * is lost: it could take over a later connection.
     *
     * @param isLost whether the client is lost and none of its packets wait to be processed; called on any thread
     */
    default CompletionStage<OpenOutcome> open(OpenRequest request, BooleanSupplier isLost) {
        return open(request);
    }

    /**
     * A connection with a session is lost: the session ends or waits for the client. Does nothing if the connection does not have the
     * session any more.
     *
     * @return completes when the session's end, or its record without a connection, is durable, or when another node must be asked
     */
    CompletionStage<LeaveOutcome> leave(Departure departure);

    /**
     * Changes the subscriptions of a persistent session for its connection.
     *
     * @return completes when the changes are durable and settled, or can't be; fails only because of a bug
     */
    CompletionStage<ChangeOutcome> change(SubscriptionChange change);

    /**
     * A node announces its clients without persistent sessions, because this registrar has not decided about them before. Of two
     * connections of a client, the later one stays.
     *
     * @param node the incarnation of the node
     * @param bucket of all clients
     * @param isLast whether the node has announced all its clients of the bucket
     */
    void announce(String node, int bucket, List<TransientClient> clients, boolean isLast);

    /**
     * A node has at most one connection of a client. Earlier holders of the bucket have granted others, whose grants were lost with them: these
     * connections are left without their wills, because their clients got no CONNACK. Connections without persistent sessions that the node
     * does not have are forgotten.
     *
     * @param node the incarnation of the node
     * @param heldEpoch of the connection that the node has, or 0
     * @param beforeEpoch the lowest epoch that this registrar has granted since it decides about the client
     */
    void absent(String node, ClientId clientId, long heldEpoch, long beforeEpoch);
}

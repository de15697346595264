package io.heddle.core.session.inbound;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.session.persistent.PendingCommits;
import io.heddle.core.session.persistent.PersistentSession;

/**
 * The QoS 2 marker of a message until its commit is known.
 *
 * @param append is committed with the message
 * @param commits counts the message until then
 */
record ReceivedMarker(LogAppend append, PendingCommits commits) {
    static ReceivedMarker of(ClientId clientId, PersistentSession session, int packetId, MessageName name) {
        return new ReceivedMarker(
                new LogAppend.ToBucket(
                        session.bucket(),
                        new BucketCommand.InboundReceived(clientId, session.generation(), packetId, name)),
                session.pendingCommits());
    }
}

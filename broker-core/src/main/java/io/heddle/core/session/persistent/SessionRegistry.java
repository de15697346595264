package io.heddle.core.session.persistent;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * Registers the node that a persistent session is connected to, and the state that its next connection needs. Thread-safe. In the same
 * store as the DEVICE queues, which executes the requests of both for one bucket in their order. Every answer fails with {@link
 * io.heddle.core.StoreUnavailableException} when the store does not answer. Answers come on a thread of the store.
 */
@Port
public interface SessionRegistry {
    /**
     * A client has connected: its session belongs to this node from now on, and the new epoch fences the previous owner. A session that the
     * registry does not know, or knows with a lower generation, begins empty. If the registry knows a higher generation, the session
     * continues with that one, and the answer contains it.
     *
     * @param generation of the session; equal to the epoch for a session that begins
     * @param previousEpoch the epoch of the session's previous connection, 0 for a session that begins: if the store knows a lower one, it
     *     has lost that connection
     * @param epoch of the connection
     * @param owner the connecting node's incarnation, 1 to 64 ASCII characters
     * @return the registration; with a higher epoch if another connection is registered already. The same call again has the same effect
     */
    CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long previousEpoch, long epoch, String owner);

    /**
     * The client has disconnected: its session has no owner from now on. Does nothing when the epoch is not the session's any more.
     *
     * @param sentUpTo the highest sequence number that was sent to the client: up to there, a message that is sent again is a duplicate
     */
    CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo);

    /**
     * The session has ended: removes its registration and its queue. Does nothing when the generation differs. A command of the log that is
     * applied later registers it again, with an empty queue.
     *
     * @return the number of messages in the queue
     */
    CompletionStage<Integer> end(int bucket, ClientId clientId, long generation);

    /**
     * Restores registrations that the store may have lost: a registration with the same or a higher epoch stays.
     *
     * @param sessions of this bucket
     */
    CompletionStage<Void> restore(int bucket, List<Known> sessions);

    /** The previous owner died before it reported the value. */
    long UNKNOWN = -1;

    /**
     * A session to be registered again.
     *
     * @param epoch of its latest connection
     * @param owner the node's incarnation, or empty when the session is not connected
     */
    record Known(ClientId clientId, long generation, long epoch, String owner) {}

    /**
     * A registered session.
     *
     * @param epoch of its connection; above the requested one if a later connection is registered, to which the other values then belong
     * @param previousOwner the node's incarnation that had it until now, or empty
     * @param previousEpoch its epoch, or 0
     * @param head the lowest sequence number in its queue, or one above the tail when it is empty
     * @param tail the highest sequence number assigned in its queue, 0 when none was
     * @param sentUpTo the highest sequence number sent, as the previous owner reported; {@link #UNKNOWN} when that owner died before its
     *     report or the store has lost the report; 0 for a new session
     * @param inboundReceived the names of its QoS 2 messages that wait for PUBREL, by Packet Identifier
     * @param outboundReceived the sequence numbers of the queued messages that the client has answered with PUBREC, in the order of the
     *     PUBRECs
     * @param position of its bucket at that moment: when it is behind, the store has rolled back and this registration may be wrong
     */
    record Registration(
            long generation,
            long epoch,
            String previousOwner,
            long previousEpoch,
            long head,
            long tail,
            long sentUpTo,
            SortedMap<Integer, MessageName> inboundReceived,
            List<Long> outboundReceived,
            BucketPosition position) {
        public Registration {
            inboundReceived = Collections.unmodifiableSortedMap(new TreeMap<>(inboundReceived));
            outboundReceived = List.copyOf(outboundReceived);
        }
    }
}

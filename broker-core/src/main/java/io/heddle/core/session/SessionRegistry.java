package io.heddle.core.session;

import io.heddle.core.Port;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Which node a persistent session is connected to, and what must be known of it when its client comes back. Thread-safe. Part of
 * the same store as the DEVICE queues, and in order with what is asked of them for the same bucket. Every answer fails with
 * {@link io.heddle.core.StoreUnavailableException} when the store does not answer. Answers come on a thread of the store.
 */
@Port
public interface SessionRegistry {
    /**
     * A client has come: its session is this node's from now on, and whoever had it is fenced by the new epoch. One
     * that is not known here or has a lower generation begins empty; one that has a higher generation goes on as that,
     * as the answer says.
     *
     * @param generation of the session, or {@link #NEW} when there is none or it is to begin anew: then the new epoch is its
     *     generation
     * @param minimumEpoch the new epoch is above it: the epoch of the session's last connection, as far as is known; for {@link #NEW} the
     *     highest epoch of any session, because the store forgets those of ended sessions and its clock may go back
     * @param owner who connects: a node's incarnation, 1 to 64 ASCII characters
     */
    CompletionStage<Registration> connect(
            int bucket, ClientId clientId, long generation, long minimumEpoch, String owner);

    /**
     * The client has gone: nobody's session from now on. Does nothing when the epoch is not the session's any more.
     *
     * @param sentUpTo the highest number of its queue that was sent to it: up to there, a message that is sent again is a
     *     duplicate
     */
    CompletionStage<Void> disconnect(int bucket, ClientId clientId, long epoch, long sentUpTo);

    /**
     * The session is over: forgets it with its queue. Does nothing when the generation is not this one. A command of the log that is
     * applied later makes it known again, with an empty queue.
     *
     * @return how many messages were in the queue
     */
    CompletionStage<Integer> end(int bucket, ClientId clientId, long generation);

    /**
     * Makes sessions known again that the store may have forgotten: what it knows of the same or a higher epoch stays.
     *
     * @param sessions of this bucket
     */
    CompletionStage<Void> restore(int bucket, List<Known> sessions);

    /** There is no session to go on with. */
    long NEW = 0;

    /** The last owner did not say. */
    long UNKNOWN = -1;

    /**
     * A session as others know it.
     *
     * @param epoch of its last connection
     * @param owner the node's incarnation, or empty when it is not connected
     */
    record Known(ClientId clientId, long generation, long epoch, String owner) {}

    /**
     * A session that is this node's.
     *
     * @param epoch in microseconds of the store's time, above every earlier one of this client
     * @param previousOwner the node's incarnation that had it until now, or empty
     * @param previousEpoch the epoch of it, or 0
     * @param head the lowest number in its queue, or one above the tail when it is empty
     * @param tail the highest number that was given in its queue, 0 when none was
     * @param sentUpTo as its last owner said, or {@link #UNKNOWN} when that one had no time to say or the store has forgotten it; 0 of a
     *     new session
     * @param inboundReceived the Packet Identifiers of its QoS 2 messages that wait for PUBREL
     * @param outboundReceived the numbers in its queue that PUBREC has come for, in the order in which it did
     * @param position where its bucket stood at that moment: when that is behind, the store has forgotten something and this may be
     *     wrong
     */
    record Registration(
            long generation,
            long epoch,
            String previousOwner,
            long previousEpoch,
            long head,
            long tail,
            long sentUpTo,
            List<Integer> inboundReceived,
            List<Long> outboundReceived,
            BucketPosition position) {
        public Registration {
            inboundReceived = List.copyOf(inboundReceived);
            outboundReceived = List.copyOf(outboundReceived);
        }
    }
}

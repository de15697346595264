package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.message.PublishMessage;
import java.util.List;

/** A record of a bucket log: a change of queues or markers that must survive the loss of recent writes in Redis. */
public sealed interface BucketCommand {
    /** The maximum number of recipients of one command. A message with more recipients is split into several commands. */
    int MAXIMUM_RECIPIENTS = 1_000;

    /**
     * The maximum total size of the copies of one command's message in queues, unless a single copy is larger. Further copies go into
     * further commands.
     */
    long MAXIMUM_COPIED_BYTES = 32L << 20;

    /** The number of queues that the command changes, which determines the cost of applying it. */
    default int writes() {
        return switch (this) {
            case Enqueue enqueue -> enqueue.recipients().size();
            case Acknowledged acknowledged -> acknowledged.clients().size();
            case OutboundReceived _, InboundReceived _, InboundReleased _, Cleared _ -> 1;
        };
    }

    /** Enqueues a message. Each recipient's queue assigns it a sequence number, even when the message is dropped. */
    record Enqueue(PublishMessage message, List<QueueRecipient> recipients) implements BucketCommand {
        public Enqueue {
            recipients = List.copyOf(recipients);
            if (recipients.isEmpty() || recipients.size() > MAXIMUM_RECIPIENTS) {
                throw new IllegalArgumentException("a command has 1 to " + MAXIMUM_RECIPIENTS + " recipients");
            }
        }
    }

    /**
     * Acknowledgements of some clients. The queues have already removed these messages; a replay of the log removes them again at this
     * point.
     */
    record Acknowledged(List<ClientAcknowledgement> clients) implements BucketCommand {
        public Acknowledged {
            clients = List.copyOf(clients);
            if (clients.isEmpty() || clients.size() > MAXIMUM_RECIPIENTS) {
                throw new IllegalArgumentException("a command has 1 to " + MAXIMUM_RECIPIENTS + " clients");
            }
        }
    }

    /**
     * The messages of its queue that one client has acknowledged.
     *
     * @param upTo everything up to this sequence number
     * @param above further ranges in ascending order
     */
    record ClientAcknowledgement(ClientId clientId, long generation, long upTo, List<SequenceRange> above) {
        public ClientAcknowledgement {
            above = List.copyOf(above);
        }
    }

    /** A client has answered a QoS 2 message of its queue with PUBREC, so that only PUBREL is sent for it from now on. */
    record OutboundReceived(ClientId clientId, long generation, long sequence) implements BucketCommand {}

    /** A QoS 2 PUBLISH of this client was accepted under a name: another PUBLISH with its Packet Identifier repeats it. */
    record InboundReceived(ClientId clientId, long generation, int packetId, MessageName name)
            implements BucketCommand {}

    /** The client has sent PUBREL and may use the Packet Identifier for another message. */
    record InboundReleased(ClientId clientId, long generation, int packetId) implements BucketCommand {}

    /**
     * An administrator has cleared a queue: removes all messages that precede this command in the log, also when the log is replayed to an empty
     * store. Committed, because a late copy would remove later messages.
     */
    record Cleared(ClientId clientId, long generation) implements BucketCommand {}
}

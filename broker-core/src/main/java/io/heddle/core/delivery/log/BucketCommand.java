package io.heddle.core.delivery.log;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.PublishMessage;
import java.util.List;

/** What stands in a bucket's log: everything that must survive a Redis that forgets its last seconds. */
public sealed interface BucketCommand {
    /** The most recipients of one command; more are several commands. */
    int MAXIMUM_RECIPIENTS = 1_000;

    /**
     * The most bytes that the copies of one command's message hold in queues, unless one copy alone is larger; more are
     * several commands.
     */
    long MAXIMUM_COPIED_BYTES = 32L << 20;

    /** How many queues it changes, which is what applying it costs. */
    default int writes() {
        return switch (this) {
            case Enqueue enqueue -> enqueue.recipients().size();
            case Acknowledged acknowledged -> acknowledged.clients().size();
            case OutboundReceived _, InboundReceived _, InboundReleased _ -> 1;
        };
    }

    /** A message for queues of this bucket. Each recipient's queue takes a number for it, whatever becomes of it. */
    record Enqueue(PublishMessage message, List<QueueRecipient> recipients) implements BucketCommand {
        public Enqueue {
            recipients = List.copyOf(recipients);
            if (recipients.isEmpty() || recipients.size() > MAXIMUM_RECIPIENTS) {
                throw new IllegalArgumentException("a command has 1 to " + MAXIMUM_RECIPIENTS + " recipients");
            }
        }
    }

    /**
     * What some clients have acknowledged of their queues by now: the queues know it already, and a queue that has forgotten it and is
     * filled again from the log removes here what it has up to here.
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
     * What one client has acknowledged of its queue.
     *
     * @param upTo everything up to this number
     * @param above and these, by rising number
     */
    record ClientAcknowledgement(ClientId clientId, long generation, long upTo, List<SequenceRange> above) {
        public ClientAcknowledgement {
            above = List.copyOf(above);
        }
    }

    /** The client has answered a QoS 2 message of its queue with PUBREC: from here on only PUBREL is sent for it. */
    record OutboundReceived(ClientId clientId, long generation, long sequence) implements BucketCommand {}

    /** A QoS 2 PUBLISH of this client has been taken: a PUBLISH with the same Packet Identifier is the same message. */
    record InboundReceived(ClientId clientId, long generation, int packetId) implements BucketCommand {}

    /** Its PUBREL has come: the Packet Identifier may stand for another message. */
    record InboundReleased(ClientId clientId, long generation, int packetId) implements BucketCommand {}
}

package io.heddle.core.operator.explain;

import io.heddle.core.mqtt.QoS;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of earlier messages on a topic for a client, as far as the nodes remember them.
 *
 * @param sinceMillis the start of the period, in milliseconds since 1970
 * @param summary the outcome in some sentences, and what is not known
 * @param nodes those that remember messages for the client, in the order of their ids
 * @param messages the latest first
 */
public record PastDeliveries(long sinceMillis, String summary, List<Memory> nodes, List<PastMessage> messages) {
    /** The outcome of a message. */
    public enum Outcome {
        /** It was sent, and PUBACK or PUBREC came. */
        ACKNOWLEDGED,
        /** It was sent, and no acknowledgement has come. */
        NOT_ACKNOWLEDGED,
        /** It was sent with QoS 0, which clients do not acknowledge. */
        SENT,
        /** The client has missed it. */
        DROPPED
    }

    /**
     * A message on the topic.
     *
     * @param millis when it was sent first, or dropped, in milliseconds since 1970
     * @param node the id of the node that remembers it
     * @param reason why it was dropped, as in {@code heddle.messages.dropped}; null if it was sent
     * @param qos of the delivery
     * @param payloadBytes its length, or {@link io.heddle.core.client.PastMessages#UNKNOWN_BYTES}
     * @param packetId its Packet Identifier; 0 if it has none
     * @param againMillis when it was sent again over a later connection; 0 if it was not
     * @param acknowledgedMillis when PUBACK or PUBREC came; 0 if none has
     */
    public record PastMessage(
            long millis,
            String node,
            Outcome outcome,
            @Nullable String reason,
            QoS qos,
            int payloadBytes,
            int packetId,
            long againMillis,
            long acknowledgedMillis) {}

    /**
     * How far back a node remembers messages for the client, in milliseconds since 1970.
     *
     * @param beginMillis when it began to
     * @param deliveriesFromMillis since when it knows all deliveries
     * @param dropsFromMillis since when it knows all messages that the client has missed
     */
    public record Memory(String node, long beginMillis, long deliveriesFromMillis, long dropsFromMillis) {}

    public PastDeliveries {
        nodes = List.copyOf(nodes);
        messages = List.copyOf(messages);
    }
}

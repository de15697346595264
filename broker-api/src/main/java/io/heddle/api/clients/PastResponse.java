package io.heddle.api.clients;

import io.heddle.core.client.PastMessages;
import io.heddle.core.operator.explain.PastDeliveries;
import io.heddle.core.operator.explain.PastDeliveries.Memory;
import io.heddle.core.operator.explain.PastDeliveries.Outcome;
import io.heddle.core.operator.explain.PastDeliveries.PastMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of earlier messages on a topic for a client.
 *
 * @param since the start of the period
 * @param summary the outcome in some sentences, and what is not known
 * @param nodes those that remember messages for the client
 * @param messages the latest first
 */
record PastResponse(Instant since, String summary, List<MemoryResponse> nodes, List<PastMessageResponse> messages) {
    /** @param waiting the number of messages that wait for the client, on any topic */
    static @Nullable PastResponse of(@Nullable PastDeliveries past, long waiting) {
        return past == null
                ? null
                : new PastResponse(
                        Instant.ofEpochMilli(past.sinceMillis()),
                        waiting == 0
                                ? past.summary()
                                : past.summary() + " " + waiting + (waiting == 1 ? " message waits" : " messages wait")
                                        + " for the client, on this topic or others.",
                        past.nodes().stream().map(MemoryResponse::of).toList(),
                        past.messages().stream().map(PastMessageResponse::of).toList());
    }

    private static @Nullable Instant time(long millis) {
        return millis == 0 ? null : Instant.ofEpochMilli(millis);
    }

    /**
     * How far back a node remembers messages for the client.
     *
     * @param since when it began to
     * @param deliveriesSince since when it knows all deliveries
     * @param missedSince since when it knows all messages that the client has missed
     */
    record MemoryResponse(String node, Instant since, Instant deliveriesSince, Instant missedSince) {
        static MemoryResponse of(Memory memory) {
            return new MemoryResponse(
                    memory.node(),
                    Instant.ofEpochMilli(memory.beginMillis()),
                    Instant.ofEpochMilli(memory.deliveriesFromMillis()),
                    Instant.ofEpochMilli(memory.dropsFromMillis()));
        }
    }

    /**
     * A message on the topic.
     *
     * @param at when it was sent first, or dropped
     * @param node the id of the node that remembers it
     * @param reason why it was dropped, as in the metric heddle.messages.dropped; null if it was sent
     * @param payloadBytes null if it is unknown
     * @param packetId null if it has none
     * @param sentAgainAt when it was sent again over a later connection; null if it was not
     * @param acknowledgedAt null if it is not acknowledged
     */
    record PastMessageResponse(
            Instant at,
            String node,
            Outcome outcome,
            @Nullable String reason,
            int qos,
            @Nullable Integer payloadBytes,
            @Nullable Integer packetId,
            @Nullable Instant sentAgainAt,
            @Nullable Instant acknowledgedAt) {
        static PastMessageResponse of(PastMessage message) {
            return new PastMessageResponse(
                    Instant.ofEpochMilli(message.millis()),
                    message.node(),
                    message.outcome(),
                    message.reason(),
                    message.qos().level(),
                    message.payloadBytes() == PastMessages.UNKNOWN_BYTES
                            ? null
                            : Integer.valueOf(message.payloadBytes()),
                    message.packetId() == 0 ? null : Integer.valueOf(message.packetId()),
                    time(message.againMillis()),
                    time(message.acknowledgedMillis()));
        }
    }
}

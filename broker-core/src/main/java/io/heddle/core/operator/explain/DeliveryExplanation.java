package io.heddle.core.operator.explain;

import io.heddle.core.client.PastMessages.DroppedMessage;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.client.ClientDetails;
import io.heddle.core.operator.client.NextMember;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why a client gets the messages on a topic, or does not.
 *
 * @param summary the verdict with its reason in some sentences, without text of the client other than topic filters
 * @param qos of the delivery; null if there is none
 * @param delivery null if the client has no session, or no node that has answered knows it
 * @param groups the shared subscriptions that match
 * @param drops the messages that the client has missed last, the latest first
 * @param contenders clients that fight over the client id; empty if it is not used by several
 * @param past what became of earlier messages on the topic; null if that was not asked
 * @param missingNodes the ids of the nodes that have not answered
 */
public record DeliveryExplanation(
        Verdict verdict,
        String summary,
        @Nullable QoS qos,
        ClientDetails client,
        @Nullable Delivery delivery,
        List<Group> groups,
        List<DroppedMessage> drops,
        List<Contender> contenders,
        @Nullable PastDeliveries past,
        Set<String> missingNodes) {
    /**
     * A shared subscription.
     *
     * @param topicFilter with {@code $share/} and its name
     * @param members the ids of its first members, the client included
     * @param hasMore whether there are further ones
     * @param next the member that gets the next message which is published at the node that was asked; null if there is none
     */
    public record Group(
            String topicFilter,
            List<String> members,
            boolean hasMore,
            @Nullable NextMember next) {}

    public DeliveryExplanation {
        groups = List.copyOf(groups);
        drops = List.copyOf(drops);
        contenders = List.copyOf(contenders);
        missingNodes = Set.copyOf(missingNodes);
    }
}

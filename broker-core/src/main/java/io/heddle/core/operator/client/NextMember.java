package io.heddle.core.operator.client;

import io.heddle.core.routing.NextChoice.Fate;
import org.jspecify.annotations.Nullable;

/**
 * The member of a shared subscription that gets the next message, as things are now.
 *
 * @param node the id of the node at which the message is published
 * @param clientId null if another node chooses among its members
 * @param memberNode the id of that node; null if the member is known
 * @param explanation who gets the message, and why, in a sentence or two
 */
public record NextMember(
        String node, @Nullable String clientId, @Nullable String memberNode, String explanation) {
    static NextMember of(String node, String clientId, Fate fate) {
        String reason = switch (fate) {
            case SENT -> "it is the turn of this member.";
            case SENT_ELSEWHERE ->
                "it is the turn of this member, which is at another node and so taken for one that can send at once.";
            case QUEUED -> "no member is known to send it at once, and it is the turn of this one to queue it.";
            case OVERFLOWS -> "the queues of the members are full, and it is the turn of this one to drop a message.";
            case STORED -> "no member is connected, and it is the turn of this one to store it.";
            case LOST -> "no member is connected, and all subscriptions have QoS 0, so that the message is lost.";
        };
        return new NextMember(node, clientId, null, beginning(node) + clientId + ": " + reason);
    }

    static NextMember elsewhere(String node, String memberNode) {
        return new NextMember(
                node,
                null,
                memberNode,
                beginning(node) + "a member at node " + memberNode
                        + ", which chooses it in turn: nodes have as many turns as connected members whose sessions end with their"
                        + " connections.");
    }

    private static String beginning(String node) {
        return "A message that is published at node " + node + " now goes to ";
    }
}

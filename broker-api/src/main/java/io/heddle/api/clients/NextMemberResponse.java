package io.heddle.api.clients;

import io.heddle.core.operator.client.NextMember;
import org.jspecify.annotations.Nullable;

/**
 * The member of a shared subscription that gets the next message, as things are now.
 *
 * @param node the id of the node at which the message is published, which is the one that answers
 * @param clientId null if another node chooses among its members
 * @param memberNode the id of that node; null if the member is known
 * @param explanation who gets the message, and why, in a sentence or two
 */
public record NextMemberResponse(
        String node, @Nullable String clientId, @Nullable String memberNode, String explanation) {
    public static @Nullable NextMemberResponse of(@Nullable NextMember next) {
        return next == null
                ? null
                : new NextMemberResponse(next.nodeId(), next.clientId(), next.memberNodeId(), next.explanation());
    }
}

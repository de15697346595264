package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.SharedGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is in a shared subscription: round robin over the members that are connected. When none is, a member is chosen
 * all the same, so that its session can keep the message. Any thread may choose; all of them share the group's row of turns, so
 * that the members' shares are equal however many threads route. Each change of the members moves a share by one message at most.
 */
@HotPath
final class SharedSubscriptionSelector {
    /** The member that gets the next message, or null when the group has just ended. */
    SharedGroup.@Nullable Member choose(SharedGroup group) {
        List<SharedGroup.Member> members = group.members();
        int size = members.size();
        if (size == 0) {
            return null;
        }
        int turn = 0;
        // Who is not connected uses up a turn of its own: giving it to the next in the list would double that one's
        // share.
        for (int i = 0; i < size; i++) {
            turn = Integer.remainderUnsigned(group.nextTurn(), size);
            SharedGroup.Member member = members.get(turn);
            if (member.session().isConnected()) {
                return member;
            }
        }
        // Threads that choose at the same time share the row, so that one may have missed members.
        for (int i = 0; i < size; i++) {
            SharedGroup.Member member = members.get((turn + i) % size);
            if (member.session().isConnected()) {
                return member;
            }
        }
        return members.get(turn);
    }
}

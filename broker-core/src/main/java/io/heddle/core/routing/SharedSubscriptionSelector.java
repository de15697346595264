package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.SharedGroup;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is in a shared subscription: round robin over the members that are connected. A member whose client has its
 * hands full (its window is used up, or it does not read) is passed over in favour of one that takes the message at once, and one
 * whose queue is full in favour of one that has room. When nobody is connected, a member is chosen all the same, so that its
 * session can keep the message.
 *
 * <p>Any thread may choose; all of them share the group's row of turns, so that the members' shares are equal however many threads
 * route. Each change of the members moves a share by one message at most. Bound: {@value #TRIES} members that are connected
 * are asked, or {@value #ABSENT_TRIES} that are not, however many there are.
 */
@HotPath
final class SharedSubscriptionSelector {
    /** So many hands may be full while others have capacity; to ask them costs about as much as to send one message. */
    static final int TRIES = 256;

    static final int ABSENT_TRIES = 8;

    /** The member that gets the next message, or null when the group has just ended. */
    @Nullable
    Member choose(SharedGroup group) {
        Member chosen = null;
        while (chosen == null && !group.isEmpty()) {
            // Who changes sides meanwhile may be missed on both.
            chosen = connected(group);
            if (chosen == null) {
                chosen = absent(group);
            }
        }
        return chosen;
    }

    private static @Nullable Member connected(SharedGroup group) {
        Member roomiest = null;
        DeliveryCapacity most = DeliveryCapacity.FULL;
        // Who is passed over uses up a turn of its own: giving it to the next in the row would double that one's share.
        for (int i = 0; i < TRIES; i++) {
            Member member = group.nextConnected();
            if (member == null || member == roomiest) {
                break;
            }
            DeliveryCapacity capacity = capacity(member);
            if (capacity == DeliveryCapacity.READY) {
                return member;
            }
            if (roomiest == null || capacity.compareTo(most) < 0) {
                roomiest = member;
                most = capacity;
            }
        }
        if (roomiest == null) {
            return null;
        }
        // Several turns for each message are no fair row, so what has to wait has its own.
        Member waits = group.nextToQueue();
        return waits == null || capacity(waits).compareTo(most) > 0 ? roomiest : waits;
    }

    /** The session may know of its client's end before the group does. */
    private static DeliveryCapacity capacity(Member member) {
        return member.session().isConnected() ? member.session().capacity() : DeliveryCapacity.FULL;
    }

    private static @Nullable Member absent(SharedGroup group) {
        Member member = null;
        for (int i = 0; i < ABSENT_TRIES; i++) {
            member = group.nextAbsent();
            if (member == null || member.session().capacity() != DeliveryCapacity.FULL) {
                return member;
            }
        }
        return member;
    }
}

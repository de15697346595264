package io.heddle.core.routing;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.LocalSession;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteMembers;
import io.heddle.core.subscription.SharedGroup;
import org.jspecify.annotations.Nullable;

/**
 * Selects a member of a shared subscription, round robin over the connected members. A member without capacity (its send window is
 * exhausted, or its client does not read) is skipped in favour of one that can send at once, and a member with a full queue in favour of
 * one with room. When no member is connected, an absent one is selected, so that its session can store the message: one whose subscription
 * has QoS 0 only if there are no others.
 *
 * <p>Thread-safe. All threads share the round-robin counter of the group, so that members get equal shares however many threads route. A
 * change of the membership shifts a share by at most one message. Bound: at most {@value #TRIES} connected or {@value #ABSENT_TRIES}
 * absent members are tried.
 */
@HotPath
final class SharedSubscriptionSelector {
    /** The maximum number of connected members to try; trying this many costs about as much as sending one message. */
    static final int TRIES = 256;

    static final int ABSENT_TRIES = 8;

    /**
     * Gives the turn to a member of another node, and returns the place of this node; -1 if the turn is that of a member that this node
     * knows, or if the other nodes have ended. Each member has the same share, because a node has as many turns as members.
     */
    int chooseNode(SharedGroup group, RemoteMembers others) {
        int connected = group.connectedMembers();
        int turn = group.nextTurn(Math.max(1, connected + others.total()));
        return turn < connected ? -1 : others.placeOf(turn - connected);
    }

    /**
     * Selects a member on this node that gets a message without a log; null if none of the tried members is: its session ends with its
     * connection, or its client is connected and gets the message at QoS 0.
     */
    @Nullable
    Member chooseHere(SharedGroup group, QoS published) {
        Member best = null;
        DeliveryCapacity bestCapacity = DeliveryCapacity.FULL;
        for (int i = 0; i < TRIES; i++) {
            Member member = group.nextConnected();
            if (member == null || member == best) {
                break;
            }
            if (!isHere(member, published)) {
                continue;
            }
            DeliveryCapacity capacity = capacity(member);
            if (capacity == DeliveryCapacity.READY) {
                return member;
            }
            if (best == null || capacity.compareTo(bestCapacity) < 0) {
                best = member;
                bestCapacity = capacity;
            }
        }
        return best;
    }

    private static boolean isHere(Member member, QoS published) {
        return switch (member.session()) {
            case LocalSession session -> session.isConnected();
            case PersistentSubscriber session ->
                session.connection() != null
                        && published.min(member.subscription().terms().maximumQos()) == QoS.AT_MOST_ONCE;
        };
    }

    /** Selects the session that gets the next message; null when the group has no sessions, or has just lost the last one. */
    @Nullable
    Member choose(SharedGroup group) {
        Member chosen = null;
        while (chosen == null && !group.hasNoSessions()) {
            chosen = tryToChoose(group);
        }
        return chosen;
    }

    /** Selects like {@link #choose}, but misses a member that connects or disconnects meanwhile. */
    @Nullable
    Member tryToChoose(SharedGroup group) {
        Member chosen = connected(group);
        return chosen == null ? absent(group) : chosen;
    }

    private static @Nullable Member connected(SharedGroup group) {
        Member best = null;
        DeliveryCapacity bestCapacity = DeliveryCapacity.FULL;
        // A skipped member uses up its own turn; giving the turn to its successor would double the successor's share.
        for (int i = 0; i < TRIES; i++) {
            Member member = group.nextConnected();
            if (member == null || member == best) {
                break;
            }
            DeliveryCapacity capacity = capacity(member);
            if (capacity == DeliveryCapacity.READY) {
                return member;
            }
            if (best == null || capacity.compareTo(bestCapacity) < 0) {
                best = member;
                bestCapacity = capacity;
            }
        }
        if (best == null) {
            return null;
        }
        // This loop has used several turns for one message. Queued messages have their own round robin, so that the
        // shares stay equal.
        Member next = group.nextToQueue();
        return next == null || capacity(next).compareTo(bestCapacity) > 0 ? best : next;
    }

    /** Returns the capacity of a member; a session notices a disconnect before its group does. */
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

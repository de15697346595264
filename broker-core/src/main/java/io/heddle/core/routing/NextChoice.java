package io.heddle.core.routing;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.Member;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.subscription.RemoteMembers;
import io.heddle.core.subscription.SharedGroup;
import org.jspecify.annotations.Nullable;

/** The choice of a member for the next message of a shared subscription that is published at this node, as things are now. */
public sealed interface NextChoice {
    /** The fate of the message. */
    enum Fate {
        /** It is sent at once. */
        SENT,
        /** The member is at another node, and is taken for one that can send it at once. */
        SENT_ELSEWHERE,
        /** It waits, because no member can send it at once. */
        QUEUED,
        /** The queue of each member is full, so that it or another message is dropped. */
        OVERFLOWS,
        /** It is stored for a member that is away, because none is connected. */
        STORED,
        /** It is lost: no member is connected, and all subscriptions have QoS 0. */
        LOST
    }

    /** A member gets the message. */
    record OfMember(ClientId clientId, Fate fate) implements NextChoice {}

    /** Another node has the turn, and chooses among its members whose sessions end with their connections. */
    record OfNode(Incarnation node) implements NextChoice {}

    /** Chooses as for a message, without using up a turn. Returns null if the group has no members. Any thread. */
    static @Nullable NextChoice of(SharedGroup group) {
        SharedSubscriptionSelector selector = new SharedSubscriptionSelector();
        SharedGroup turns = group.withOwnTurns();
        RemoteMembers others = turns.remoteMembers();
        int place = others == null ? -1 : selector.chooseNode(turns, others);
        Member member = place < 0 ? selector.tryToChoose(turns) : null;
        if (member != null) {
            return new OfMember(member.session().clientId(), fate(member));
        }
        int elsewhere = others == null || place >= 0 ? place : others.placeOf(0);
        return others == null || elsewhere < 0
                ? null
                : new OfNode(others.node(elsewhere).incarnation());
    }

    private static Fate fate(Member member) {
        if (!member.session().isConnected()) {
            return member.subscription().terms().maximumQos() == QoS.AT_MOST_ONCE ? Fate.LOST : Fate.STORED;
        }
        return switch (member.session().capacity()) {
            case READY ->
                member.session() instanceof PersistentSubscriber session && session.connection() == null
                        ? Fate.SENT_ELSEWHERE
                        : Fate.SENT;
            case QUEUEABLE -> Fate.QUEUED;
            case FULL -> Fate.OVERFLOWS;
        };
    }
}

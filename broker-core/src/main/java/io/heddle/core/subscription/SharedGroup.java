package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The members of a shared subscription: each matching message goes to one of them [MQTT-4.8.2-4]. Share name and filter together
 * identify a group.
 *
 * <p>Connected members, absent ones, and absent ones whose subscription has QoS 0, for which nothing is stored, are in separate lists, so that
 * selecting one never searches. Members join, leave
 * and move between the lists in constant time, under the group's lock (joining and leaving also under the trie's); any thread may
 * take turns without a lock.
 */
@HotPath
public final class SharedGroup implements Subscriber {
    /** Enough in practice: without identifiers, members have two or three different subscriptions at most. */
    private static final int COMPARED_MEMBERS = 4;

    private final String shareName;
    // Turn counters shared by all threads; overflow is harmless.
    private final AtomicInteger turns;
    private final AtomicInteger queueTurns;
    private final AtomicInteger nodeTurns;
    private final MemberList connected;
    private final MemberList absent;
    private final MemberList absentAtQos0;
    /**
     * By client id as text, because strings are comparable: a map stays fast even if clients choose ids with equal hash codes.
     */
    private final Map<String, Member> members = HashMap.newHashMap(1);

    // Written under the lock, read by any thread.
    private volatile int size;
    private volatile @Nullable RemoteMembers remote;

    SharedGroup(String shareName) {
        this.shareName = shareName;
        this.turns = new AtomicInteger();
        this.queueTurns = new AtomicInteger();
        this.nodeTurns = new AtomicInteger();
        this.connected = new MemberList();
        this.absent = new MemberList();
        this.absentAtQos0 = new MemberList();
    }

    private SharedGroup(SharedGroup other) {
        this.shareName = other.shareName;
        this.turns = new AtomicInteger(other.turns.get());
        this.queueTurns = new AtomicInteger(other.queueTurns.get());
        this.nodeTurns = new AtomicInteger(other.nodeTurns.get());
        this.connected = other.connected;
        this.absent = other.absent;
        this.absentAtQos0 = other.absentAtQos0;
        this.size = other.size;
        this.remote = other.remote;
    }

    /** Returns the same members with turns that start where those of this group are, to see whose the next one is. Any thread; not to be changed. */
    public SharedGroup withOwnTurns() {
        return new SharedGroup(this);
    }

    public String shareName() {
        return shareName;
    }

    /** Returns the next connected member, or null if there is none. */
    public @Nullable Member nextConnected() {
        return connected.atTurn(turns.getAndIncrement());
    }

    /** Returns the next connected member from a separate turn counter, for messages that no member can receive immediately. */
    public @Nullable Member nextToQueue() {
        return connected.atTurn(queueTurns.getAndIncrement());
    }

    /**
     * Returns the next absent member from the same turn counter as {@link #nextToQueue}: one with QoS 0, for which nothing is stored, only if
     * there are no others. Returns null if there is none.
     */
    public @Nullable Member nextAbsent() {
        int turn = queueTurns.getAndIncrement();
        Member member = absent.atTurn(turn);
        return member == null ? absentAtQos0.atTurn(turn) : member;
    }

    /** Returns the members of other nodes, or null if there are none. */
    public @Nullable RemoteMembers remoteMembers() {
        return remote;
    }

    /** Returns the next turn, below a bound, among the connected members and the members of other nodes. */
    public int nextTurn(int bound) {
        return Integer.remainderUnsigned(nodeTurns.getAndIncrement(), bound);
    }

    /** Returns the number of connected members, without those of other nodes. */
    public int connectedMembers() {
        return connected.size();
    }

    /** Returns whether the group has no members except those of other nodes. */
    public boolean hasNoSessions() {
        return size == 0;
    }

    /** Returns whether the last member has left. The group has then been removed from the trie and accepts no members. */
    boolean isEmpty() {
        return size == 0 && remote == null;
    }

    int size() {
        return size;
    }

    /** Returns an equal subscription of one of a few members, or null. */
    @Nullable
    Subscription findEqual(Subscription subscription) {
        for (int i = 0; i < COMPARED_MEMBERS; i++) {
            Member there = connected.atTurn(i);
            Member away = absent.atTurn(i);
            if (there != null && there.subscription().isEqualTo(subscription)) {
                return there.subscription();
            }
            if (away != null && away.subscription().isEqualTo(subscription)) {
                return away.subscription();
            }
        }
        return null;
    }

    /** Returns a copy of all members, made under the lock. */
    public synchronized List<Member> members() {
        List<Member> all = new ArrayList<>(size);
        connected.addTo(all);
        absent.addTo(all);
        absentAtQos0.addTo(all);
        return List.copyOf(all);
    }

    /**
     * Adds a member, replacing one with the same client id. Returns the replaced subscription, or null. Throws without changing
     * anything if the group is full.
     */
    synchronized @Nullable Subscription put(SessionSubscriber session, Subscription subscription, int maximumMembers) {
        Member before = members.get(session.clientId().value());
        if (before == null && size >= maximumMembers) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED,
                    "the shared subscription has reached its maximum number of members",
                    new Limit("heddle.subscription.maximum-group-members", maximumMembers));
        }
        Member member = new Member(session, subscription);
        member.connected = session.isConnected();
        members.put(session.clientId().value(), member);
        if (before == null) {
            side(member).add(member);
            size++;
            return null;
        }
        if (side(before).equals(side(member))) {
            side(member).replace(before, member);
        } else {
            // Added first, so that one of the two is always present.
            side(member).add(member);
            side(before).remove(before);
        }
        return before.subscription();
    }

    /** Removes a session or the members of another node. Returns whether there were any; a session that replaced the first one stays. */
    synchronized boolean removeMember(Subscriber subscriber) {
        if (subscriber instanceof RemoteNode node) {
            RemoteMembers before = remote;
            remote = before == null ? null : before.without(node);
            return before != null && before.contains(node);
        }
        return subscriber instanceof SessionSubscriber session && remove(session);
    }

    private synchronized boolean remove(SessionSubscriber session) {
        Member member = member(session);
        if (member == null) {
            return false;
        }
        members.remove(session.clientId().value());
        side(member).remove(member);
        size--;
        return true;
    }

    /** Adds or replaces the members of another node. */
    synchronized void put(RemoteNode node, String sharedFilter, RemoteNode.Interest interest, int number) {
        remote = RemoteMembers.with(remote, sharedFilter, node, interest, number);
    }

    /** Moves a member to the list that matches its connection state. */
    synchronized void connectionChanged(SessionSubscriber session) {
        Member member = member(session);
        boolean now = session.isConnected();
        if (member == null || member.connected == now) {
            return;
        }
        // A member has one position, so a new Member is added to the other list before the old one is removed.
        Member moved = new Member(session, member.subscription());
        moved.connected = now;
        members.put(session.clientId().value(), moved);
        side(moved).add(moved);
        side(member).remove(member);
    }

    private @Nullable Member member(SessionSubscriber session) {
        Member member = members.get(session.clientId().value());
        return member != null && member.session().equals(session) ? member : null;
    }

    private MemberList side(Member member) {
        if (member.connected) {
            return connected;
        }
        return member.subscription().terms().maximumQos() == QoS.AT_MOST_ONCE ? absentAtQos0 : absent;
    }

    /** Compares only the share name, because groups of different filters are never compared. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SharedGroup that && shareName.equals(that.shareName);
    }

    @Override
    public int hashCode() {
        return shareName.hashCode();
    }

    @Override
    public String toString() {
        return "$share/" + shareName;
    }
}

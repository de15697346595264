package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The clients that share one subscription: each message that its filter matches goes to one of them [MQTT-4.8.2-4]. A group is
 * known by its share name at the filter that it belongs to; the same share name with another filter is another group.
 *
 * <p>Members that are connected stand apart from those that are not, so that nobody has to look for one among the many that are
 * away. Members come, go and change sides in constant time, under the group's lock (and when they come or go also the trie's);
 * any thread may take turns, without a lock.
 */
@HotPath
public final class SharedGroup implements Subscriber {
    /** Members have two or three different ones at most, unless they have identifiers. */
    private static final int SAME_SOUGHT = 4;

    private final String shareName;
    // Endless rows, in which overflow is harmless: each turn is given once, whoever asks.
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger turnsToWait = new AtomicInteger();
    private final MemberList connected = new MemberList();
    private final MemberList absent = new MemberList();
    /** By client id as text: chosen so that their hash codes are all alike, texts still have an order. */
    private final Map<String, Member> members = HashMap.newHashMap(1);

    // Changed under the lock, read by any thread.
    private volatile int size;

    SharedGroup(String shareName) {
        this.shareName = shareName;
    }

    /** The share name. */
    public String shareName() {
        return shareName;
    }

    /** The next connected member in turn, or null when there is none at this moment. */
    public @Nullable Member nextConnected() {
        return connected.inTurn(turns.getAndIncrement());
    }

    /** The same in a row of its own, for messages that nobody takes at once. */
    public @Nullable Member nextToWait() {
        return connected.inTurn(turnsToWait.getAndIncrement());
    }

    /** The next member in turn of those that are not connected, or null when there is none at this moment. */
    public @Nullable Member nextAbsent() {
        return absent.inTurn(turns.getAndIncrement());
    }

    /** Whether the last member has left. The group is then not in the trie any more, and nobody joins it. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** A subscription of a member that is the same as the one given, or null. It looks at a few. */
    @Nullable
    Subscription same(Subscription subscription) {
        for (int i = 0; i < SAME_SOUGHT; i++) {
            Member there = connected.inTurn(i);
            Member away = absent.inTurn(i);
            if (there != null && there.subscription().isSame(subscription)) {
                return there.subscription();
            }
            if (away != null && away.subscription().isSame(subscription)) {
                return away.subscription();
            }
        }
        return null;
    }

    /** All members at this moment, copied under the lock. */
    public synchronized List<Member> members() {
        List<Member> all = new ArrayList<>(size);
        connected.addTo(all);
        absent.addTo(all);
        return List.copyOf(all);
    }

    /**
     * A client is a member once: whoever has its client id is replaced. Returns what it had subscribed with, or null. Throws,
     * and changes nothing, when there are as many members as there may be.
     */
    synchronized @Nullable Subscription put(SessionSubscriber session, Subscription subscription, int maximumMembers) {
        Member before = members.get(session.clientId().value());
        if (before == null && size >= maximumMembers) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED, "the shared subscription has as many members as it may");
        }
        Member member = new Member(session, subscription);
        member.connected = session.isConnected();
        members.put(session.clientId().value(), member);
        if (before == null) {
            side(member).add(member);
            size++;
            return null;
        }
        if (before.connected == member.connected) {
            side(member).replace(before, member);
        } else {
            // So that at no moment neither of them is there.
            side(member).add(member);
            side(before).remove(before);
        }
        return before.subscription();
    }

    /** Returns whether this session was a member; one that replaced it stays. */
    synchronized boolean remove(SessionSubscriber session) {
        Member member = member(session);
        if (member == null) {
            return false;
        }
        members.remove(session.clientId().value());
        side(member).remove(member);
        size--;
        return true;
    }

    /** The client of a session, if that is a member, is connected now or is not any more. */
    synchronized void connectionChanged(SessionSubscriber session) {
        Member member = member(session);
        boolean now = session.isConnected();
        if (member == null || member.connected == now) {
            return;
        }
        // A member has one place: so it is another one on the other side, and there before it leaves this one.
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
        return member.connected ? connected : absent;
    }

    /** Groups of one filter are told apart by their names; groups of different filters never meet. */
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

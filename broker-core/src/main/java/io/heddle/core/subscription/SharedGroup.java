package io.heddle.core.subscription;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The clients that share one subscription: each message that its filter matches goes to one of them [MQTT-4.8.2-4]. A group is
 * known by its share name at the filter that it belongs to; the same share name with another filter is another group.
 *
 * <p>Changed under the trie's lock; any thread may read the members, which are one list that never changes, and take turns.
 * A change costs time in proportion to the members, so their number has a limit.
 */
@HotPath
public final class SharedGroup implements Subscriber {
    private final String shareName;
    private final AtomicInteger turns = new AtomicInteger();
    private volatile List<Member> members = List.of();

    /**
     * One client of the group.
     *
     * @param subscription its own: members may differ in what they asked for
     */
    public record Member(LocalSession session, Subscription subscription) {}

    SharedGroup(String shareName) {
        this.shareName = shareName;
    }

    /** The share name. */
    public String shareName() {
        return shareName;
    }

    /** The members at this moment, in the order they came; empty only when the group has just ended. */
    public List<Member> members() {
        return members;
    }

    /** The next number of an endless row, in which overflow is harmless: each is given once, whoever asks. */
    public int nextTurn() {
        return turns.getAndIncrement();
    }

    /**
     * A client is a member once: whoever has its client id is replaced. Returns what it had subscribed with, or null. Throws,
     * and changes nothing, when there are as many members as there may be.
     */
    @Nullable
    Subscription put(LocalSession session, Subscription subscription, int maximumMembers) {
        Member member = new Member(session, subscription);
        List<Member> before = members;
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).session().clientId().equals(session.clientId())) {
                Member[] after = before.toArray(Member[]::new);
                after[i] = member;
                members = List.of(after);
                return before.get(i).subscription();
            }
        }
        if (before.size() >= maximumMembers) {
            throw new ProtocolException(
                    ReasonCode.QUOTA_EXCEEDED, "the shared subscription has as many members as it may");
        }
        Member[] after = Arrays.copyOf(before.toArray(Member[]::new), before.size() + 1);
        after[before.size()] = member;
        members = List.of(after);
        return null;
    }

    /** Returns whether this session was a member; one that replaced it stays. */
    boolean remove(LocalSession session) {
        List<Member> before = members;
        for (int i = 0; i < before.size(); i++) {
            if (before.get(i).session().equals(session)) {
                Member[] after = new Member[before.size() - 1];
                for (int j = 0; j < after.length; j++) {
                    after[j] = before.get(j < i ? j : j + 1);
                }
                members = List.of(after);
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return members.isEmpty();
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

package io.heddle.core.cluster;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the member that must leave because two members do not reach each other. Without this rule both would go on, and each would miss what
 * the clients of the other one publish.
 *
 * <p>A pair of members is broken if one of them has named the other in three heartbeats in a row, and every member but the named one has read
 * the third. By then each of them has had the time to name others, too: links fall silent at different moments, so those names count as well,
 * however new. Of the members in broken pairs, the one leaves that is in the most pairs of which one names the other; of several such members
 * the one that joined last. So the larger part of a divided network stays, and one node stays if all links are broken.
 *
 * <p>A function of the last heartbeats alone: a node that reads the log late computes the same. Stateless.
 */
final class BrokenLinks {
    private BrokenLinks() {}

    /**
     * Returns the member that must leave, or null if no pair is broken, or if one that must leave has not ended yet: its end may mend the
     * cluster.
     *
     * @param members in the order of their incarnations
     */
    static @Nullable Incarnation mustLeave(Collection<Member> members) {
        if (members.stream().anyMatch(each -> each.state() == MemberState.CONDEMNED)) {
            return null;
        }
        Map<Incarnation, Set<Incarnation>> named = new HashMap<>();
        Set<Incarnation> broken = new HashSet<>();
        for (Member each : members) {
            each.unreachable().forEach((other, third) -> {
                addPair(each.incarnation(), other, named);
                if (isKnown(other, third, members)) {
                    broken.addAll(Set.of(each.incarnation(), other));
                }
            });
        }
        Incarnation worst = null;
        int most = 0;
        for (Member each : members) {
            Set<Incarnation> others = named.getOrDefault(each.incarnation(), Set.of());
            int pairs = (int) members.stream()
                    .filter(other -> others.contains(other.incarnation()))
                    .count();
            if (broken.contains(each.incarnation()) && pairs >= most) {
                worst = each.incarnation();
                most = pairs;
            }
        }
        return worst;
    }

    private static boolean isKnown(Incarnation named, long third, Collection<Member> members) {
        boolean isMember = false;
        for (Member each : members) {
            if (each.incarnation().equals(named)) {
                isMember = true;
            } else if (each.followed() <= third) {
                return false;
            }
        }
        return isMember && third != NodeRecord.Heartbeat.NEW;
    }

    private static void addPair(Incarnation one, Incarnation other, Map<Incarnation, Set<Incarnation>> pairs) {
        pairs.computeIfAbsent(one, _ -> new HashSet<>()).add(other);
        pairs.computeIfAbsent(other, _ -> new HashSet<>()).add(one);
    }
}

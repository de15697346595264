package io.heddle.core.cluster;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule that determines the rightful owner of each bucket, a function of the members alone. The owners are among the serving members. If
 * no member is serving, they are among the draining ones, because a cluster that stops as a whole must still end its connections in order.
 * A member that has only joined owns nothing.
 *
 * <p>All owners own about the same number of buckets; the numbers differ by one at most. Rendezvous hashing with bounded load: each bucket,
 * in order, goes to the node with the highest score for it that has room. When a member comes or goes, few buckets change their owner
 * besides those that must.
 */
final class BucketOwnership {
    private BucketOwnership() {}

    /**
     * Returns the owner of each bucket; null for all buckets if no member may own any.
     *
     * @param members in the order of their incarnations
     */
    static @Nullable Incarnation[] owners(Collection<Member> members, int bucketCount) {
        @Nullable Incarnation[] owners = new @Nullable Incarnation[bucketCount];
        List<Incarnation> candidates = in(MemberState.SERVING, members);
        if (candidates.isEmpty()) {
            candidates = in(MemberState.DRAINING, members);
        }
        if (!candidates.isEmpty()) {
            assign(candidates, owners);
        }
        return owners;
    }

    /** @param candidates at least one, in the order of their incarnations */
    private static void assign(List<Incarnation> candidates, @Nullable Incarnation[] owners) {
        int share = owners.length / candidates.size();
        int largerShares = owners.length % candidates.size();
        int[] loads = new int[candidates.size()];
        for (int bucket = 0; bucket < owners.length; bucket++) {
            int best = -1;
            for (int i = 0; i < loads.length; i++) {
                boolean hasRoom = loads[i] < share || (loads[i] == share && largerShares > 0);
                if (hasRoom && (best < 0 || isHigher(candidates.get(i), candidates.get(best), bucket))) {
                    best = i;
                }
            }
            if (loads[best] == share) {
                largerShares--;
            }
            loads[best]++;
            owners[bucket] = candidates.get(best);
        }
    }

    private static List<Incarnation> in(MemberState state, Collection<Member> members) {
        return members.stream()
                .filter(member -> member.state() == state)
                .map(Member::incarnation)
                .toList();
    }

    private static boolean isHigher(Incarnation one, Incarnation other, int bucket) {
        return Long.compareUnsigned(score(one, bucket), score(other, bucket)) > 0;
    }

    private static long score(Incarnation incarnation, int bucket) {
        return mix(mix(mix(incarnation.offset()) ^ incarnation.random()) ^ bucket);
    }

    /** Mixes all bits: a step of SplitMix64 (Sebastiano Vigna, public domain). */
    private static long mix(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}

package io.heddle.core.cluster;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The rightful owner of a bucket, a function of the members alone. One node owns all buckets: the serving member that joined first. If no
 * member is serving, the draining member that joined first keeps them, because a cluster that stops as a whole must still end its
 * connections in order. A node that joins therefore never takes buckets from a serving one.
 */
public final class BucketOwnership {
    private BucketOwnership() {}

    /**
     * Returns the owner, or null if no member may own buckets.
     *
     * @param members in the order of their incarnations
     */
    public static @Nullable Incarnation ownerAmong(Collection<Member> members) {
        Incarnation draining = null;
        for (Member member : members) {
            switch (member.state()) {
                case SERVING -> {
                    return member.incarnation();
                }
                case DRAINING -> draining = draining == null ? member.incarnation() : draining;
                case JOINED -> {
                    // Owns nothing yet.
                }
            }
        }
        return draining;
    }
}

package io.heddle.core.delivery.bucket.remote;

import io.heddle.core.cluster.Incarnation;
import java.util.Set;

/** The other members of the cluster. Thread-safe, never blocks. */
public interface PushPeers {
    /** Returns the members except this node. */
    Set<Incarnation> others();

    /** Returns whether a member holds a bucket, as far as this node knows. */
    boolean isHolder(Incarnation member, int bucket);
}

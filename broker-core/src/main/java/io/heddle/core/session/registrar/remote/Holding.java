package io.heddle.core.session.registrar.remote;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.View;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The holder of a bucket as this node knows it.
 *
 * @param holder or null if there is none
 * @param since the offset of the record that last changed the holder
 * @param asOf the end of the log of nodes when this node learned of the holder; above the offset of the record with which the holder took
 *     the bucket
 */
record Holding(@Nullable Incarnation holder, long since, long asOf) {
    /** No holder is known yet. */
    static final Holding UNKNOWN = new Holding(null, -1, 0);

    static Holding in(View view, int bucket) {
        return new Holding(view.holder(bucket), view.heldSince(bucket), view.next());
    }

    /** Returns whether the same holder holds the bucket since the same record. */
    boolean isSameAs(Holding other) {
        return since == other.since && Objects.equals(holder, other.holder);
    }
}

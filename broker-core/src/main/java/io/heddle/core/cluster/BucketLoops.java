package io.heddle.core.cluster;

import io.heddle.core.client.EventLoop;
import java.util.List;

/**
 * The event loops that own the persistent sessions: a node begins, resumes, expires and ends the sessions of one bucket on one loop, so that
 * these steps need no lock and have an order. Thread-safe.
 */
public final class BucketLoops {
    private final List<EventLoop> loops;

    /** @param loops of the node in the order of their indexes, at least one */
    public BucketLoops(List<EventLoop> loops) {
        this.loops = List.copyOf(loops);
    }

    /** Returns all loops in the order of their indexes. */
    public List<EventLoop> all() {
        return loops;
    }

    /** Returns the loop that owns the sessions of a bucket. */
    public EventLoop of(int bucket) {
        return loops.get(bucket % loops.size());
    }
}

package io.heddle.core.cluster;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The buckets about whose clients this node decides, and the work on each bucket that may still commit. States of a bucket: followed → held →
 * releasing → followed. In the state releasing, work in progress ends, and none begins.
 *
 * <p>The event loop of the bucket ({@link BucketLoops}) changes the state, so a step on that loop sees one state. Other threads ask {@link
 * #tryBegin}. Thread-safe. Bound: two numbers for each bucket.
 */
public final class HeldBuckets {
    private final AtomicReferenceArray<State> states;
    private final AtomicIntegerArray work;

    private enum State {
        FOLLOWED,
        HELD,
        RELEASING
    }

    /** No bucket is held. */
    public HeldBuckets(int bucketCount) {
        State[] initial = new State[bucketCount];
        Arrays.fill(initial, State.FOLLOWED);
        this.states = new AtomicReferenceArray<>(initial);
        this.work = new AtomicIntegerArray(bucketCount);
    }

    /** Returns all buckets of the cluster. */
    public Set<Integer> all() {
        return new Buckets(states.length()).all();
    }

    /** Returns whether this node decides about the clients of a bucket. A bucket that is being released is not held. */
    public boolean isHeld(int bucket) {
        return states.get(bucket) == State.HELD;
    }

    /** This node decides about the clients from now on. On the loop of the bucket. */
    public void hold(int bucket) {
        change(bucket, State.FOLLOWED, State.HELD);
    }

    /** No work begins from now on. On the loop of the bucket. */
    public void beginRelease(int bucket) {
        change(bucket, State.HELD, State.RELEASING);
    }

    /** This node follows the bucket from now on. Only while it {@linkplain #isQuiet is quiet}. On the loop of the bucket. */
    public void endRelease(int bucket) {
        if (!isQuiet(bucket)) {
            throw new IllegalStateException("work on bucket " + bucket + " is in progress");
        }
        change(bucket, State.RELEASING, State.FOLLOWED);
    }

    private void change(int bucket, State expected, State next) {
        if (!states.compareAndSet(bucket, expected, next)) {
            throw new IllegalStateException("bucket " + bucket + " is " + states.get(bucket) + ", not " + expected);
        }
    }

    /** Work on a bucket begins, as a part of other work or in a step of a held bucket on its loop. {@link #end} follows. */
    public void begin(int bucket) {
        work.incrementAndGet(bucket);
    }

    /** Begins work unless the bucket is not held. {@link #end} follows if this returns true. */
    public boolean tryBegin(int bucket) {
        // First: a thread that sees no work after the release has begun knows that none follows.
        begin(bucket);
        if (isHeld(bucket)) {
            return true;
        }
        end(bucket);
        return false;
    }

    /** Work on a bucket has ended: the outcome of its commits is known. */
    public void end(int bucket) {
        if (work.decrementAndGet(bucket) < 0) {
            throw new IllegalStateException("more work on bucket " + bucket + " has ended than was begun");
        }
    }

    /** Counts work that ends with this stage. The work begins as described at {@link #begin}. Returns the stage. */
    public <T> CompletionStage<T> track(int bucket, CompletionStage<T> stage) {
        begin(bucket);
        stage.whenComplete((_, _) -> end(bucket));
        return stage;
    }

    /** Returns whether a bucket that is being released has no work in progress: this node commits nothing more for its clients. */
    public boolean isQuiet(int bucket) {
        return states.get(bucket) == State.RELEASING && work.get(bucket) == 0;
    }
}

package io.heddle.core;

import org.jspecify.annotations.Nullable;

/** Asserts that one thread uses an object: the thread that uses it first, until it hands the object over. Thread-safe. */
public final class OwnerThread {
    private volatile @Nullable Thread owner;

    /**
     * Binds the object to the calling thread, or asserts that it is bound to it.
     *
     * @throws IllegalStateException on any other thread
     */
    public void assertCurrent() {
        Thread current = Thread.currentThread();
        Thread bound = owner;
        if (bound == null) {
            bound = bind(current);
        }
        if (!current.equals(bound)) {
            throw new IllegalStateException(
                    "called on " + current.getName() + ", but only " + bound.getName() + " may call this");
        }
    }

    /**
     * Unbinds the object from the calling thread: the next thread that uses it becomes its owner. The caller must start or signal that
     * thread afterwards.
     *
     * @throws IllegalStateException on any thread but the owner
     */
    public void handOver() {
        assertCurrent();
        owner = null;
    }

    private synchronized Thread bind(Thread current) {
        Thread bound = owner;
        if (bound == null) {
            owner = current;
            return current;
        }
        return bound;
    }
}

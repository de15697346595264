package io.heddle.core.delivery.bucket;

import org.jspecify.annotations.Nullable;

/** Asserts that one thread calls the methods of its owner. Claimed once, before that thread makes any other call. */
final class OwnerThread {
    private @Nullable Thread thread;

    void claim() {
        thread = Thread.currentThread();
    }

    /** @throws IllegalStateException on any thread but the one that has claimed this */
    void assertCurrent() {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException(
                    "called on " + Thread.currentThread().getName() + ", but only the applying thread may do this");
        }
    }
}

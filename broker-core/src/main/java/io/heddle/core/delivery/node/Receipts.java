package io.heddle.core.delivery.node;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of other nodes for one message. A node that has ended counts as one that has given its receipt. Thread-safe.
 */
public final class Receipts {
    // One for the caller of whenGiven.
    private final AtomicInteger missing = new AtomicInteger(1);
    private volatile @Nullable Runnable task;

    Receipts() {}

    /** One more receipt is awaited. Before {@link #whenGiven}, or while another one is missing. */
    void expect() {
        missing.incrementAndGet();
    }

    void onGiven() {
        Runnable next = task;
        if (missing.decrementAndGet() == 0 && next != null) {
            next.run();
        }
    }

    /** Runs a task when no receipt is missing: at once, or on a thread that must not be blocked. Called once. */
    public void whenGiven(Runnable next) {
        task = next;
        onGiven();
    }
}
